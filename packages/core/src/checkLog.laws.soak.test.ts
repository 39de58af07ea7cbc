import { bitFlip, damage } from '@interleave/test-kit/mutateLog'
import { type SampleRun, sampleRuns } from '@interleave/test-kit/sampleRuns'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isAgentError } from './error.ts'
import { replay } from './history/index.ts'
import { createJournal, exportRun, importRun, type Journal, memoryJournal, savedRun } from './journal/index.ts'
import { checkLog } from './validate/validate.ts'

const samples = await sampleRuns()

/** A journal in which one log is another one. */
const withLog = async (sample: SampleRun, runId: string, log: unknown): Promise<Journal> => {
  const journal = memoryJournal()
  for (const run of await sample.journal.list()) await journal.append(run.runId, await sample.journal.read(run.runId))
  const read = (id: string) => (id === runId ? (structuredClone(log) as never) : journal.read(id))
  return createJournal({ append: () => {}, list: journal.list, delete: journal.delete, read })
}

/** Returns the end of a run that is resumed, or the code of its rejection. A rejected run has done nothing. */
async function proceed({ id, describe }: SampleRun, past: { log: unknown } | { journal: Journal }): Promise<string> {
  const effects: string[] = []
  const described = describe((what) => effects.push(what))
  try {
    const run = await ('log' in past ? described.resume(savedRun(past.log)) : described.resume(id, past))
    await run.say('Go on')
    const signal = await run.settled
    if (signal.type === 'failed') expect(signal.error).not.toMatchObject({ code: 'step_failed' })
    return signal.type
  } catch (error) {
    await new Promise((resolve) => setTimeout(resolve))
    expect(isAgentError(error), String(error)).toBe(true)
    expect(effects).toEqual([])
    return isAgentError(error) ? error.code : ''
  }
}

type Damage = typeof damage
interface Trial {
  readonly damages: Damage
  readonly numRuns: number
  /** Returns the data to damage. */
  read(sample: SampleRun): Promise<readonly unknown[]>
  tryOut(sample: SampleRun, damaged: unknown): Promise<string>
}

/** Counts the ends. */
async function counted({ damages, numRuns, read, tryOut }: Trial): Promise<Record<string, number>> {
  const ends: Record<string, number> = {}
  await fc.assert(
    fc.asyncProperty(fc.nat(samples.length - 1), damages, async (index, harm) => {
      const sample = samples[index] as SampleRun
      const end = await tryOut(sample, harm(await read(sample)))
      ends[end] = (ends[end] ?? 0) + 1
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    }),
    { numRuns },
  )
  return ends
}
const logOf = async ({ id, journal }: SampleRun) => journal.read(id)
const withDamagedLog = async (sample: SampleRun, log: unknown): Promise<string> =>
  log === undefined ? 'unreadable' : proceed(sample, { journal: await withLog(sample, sample.id, log) })

it('takes the log and the state of every run as they are', async () => {
  for (const { journal } of samples) {
    for (const { runId } of await journal.list()) {
      const log = JSON.parse(JSON.stringify(await journal.read(runId)))
      expect(checkLog(log, { runId })).toEqual(log)
    }
  }
})

const times = 200

it('continues with a damaged log or refuses it, and does nothing with what it refuses', async () => {
  const ends = await counted({ damages: damage, numRuns: times, read: logOf, tryOut: withDamagedLog })

  expect(Object.keys(ends)).toEqual(expect.arrayContaining(['log_invalid', 'answer']))
})

it('continues with a log in which a bit fell over, or refuses it', async () => {
  const ends = await counted({ damages: bitFlip, numRuns: times, read: logOf, tryOut: withDamagedLog })

  expect(Object.keys(ends)).toEqual(expect.arrayContaining(['log_invalid', 'answer']))
})

it('continues with a damaged log without a journal or refuses it, and does nothing with what it refuses', async () => {
  const ends = await counted({
    damages: damage,
    numRuns: times,
    read: logOf,
    tryOut: (sample, log) => proceed(sample, { log }),
  })

  expect(Object.keys(ends)).toEqual(expect.arrayContaining(['log_invalid', 'answer']))
})

it('imports and replays a damaged file or refuses it', async () => {
  const read = async ({ id, journal }: SampleRun) => [JSON.parse(JSON.stringify(await exportRun(journal, id)))]
  const tryOut = async (_: SampleRun, [file]: readonly unknown[]): Promise<string> => {
    const journal = memoryJournal()
    try {
      replay(file).play(() => {})
      return `imported ${await importRun(file, { journal })}`
    } catch (error) {
      expect(isAgentError(error), String(error)).toBe(true)
      expect(journal.list()).toEqual([])
      return 'refused'
    }
  }

  const ends = await counted({ damages: damage, numRuns: times, read, tryOut: tryOut as Trial['tryOut'] })

  expect(Object.keys(ends)).toContain('refused')
})
