import { bitFlip, damage } from '@interleave/test-kit/mutateLog'
import { type SampleRun, sampleRuns } from '@interleave/test-kit/sampleRuns'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Event } from './event.ts'
import { isAgentError } from './index.ts'
import { memoryJournal, savedRun } from './journal/index.ts'
import type { ResumeOptions, Run } from './run.ts'

const samples = await sampleRuns()
/** Samples of damage by people and by disks; the same each time. */
const harms = fc.sample(fc.oneof(damage, bitFlip), { numRuns: 1_400, seed: 4 })

interface Kind {
  /** Returns the data to damage, as JSON. */
  read(sample: SampleRun): unknown
  /** Returns what is resumed then: a log, or an id in a journal. */
  given(harmed: unknown, sample: SampleRun, onEffect: () => void): readonly [string | readonly Event[], ResumeOptions]
}

/** A thousand damaged runs that are JSON still, each with an agent of its own that counts what is done. */
function thousand({ read, given }: Kind) {
  const originals = samples.map((sample) => [read(sample)].flat())
  const trials = harms.flatMap((harm, index) => {
    const [sample, original = []] = [samples[index % samples.length] as SampleRun, originals[index % samples.length]]
    const harmed = harm(original)
    // A text in the place of a log is the id of a run.
    if (harmed === undefined || typeof [harmed].flat()[0] === 'string') return []
    const effects: string[] = []
    const agent = sample.describe((what) => effects.push(what))
    return [{ agent, effects, given: given(harmed, sample, () => effects.push('written')) }]
  })
  return trials.slice(0, 1_000)
}

async function resumeAll(trials: ReturnType<typeof thousand>) {
  const [resumed, refused, crashes]: [Run[], string[], unknown[]] = [[], [], []]
  const startedAt = performance.now()
  for (const { agent, given, effects } of trials) {
    try {
      const [from, options] = given
      resumed.push(await agent.resume(typeof from === 'string' ? from : savedRun(from), options))
    } catch (error) {
      if (isAgentError(error)) refused.push(...effects, error.code)
      else crashes.push(error)
    }
  }
  return { resumed, refused, crashes, ms: Math.round(performance.now() - startedAt) }
}

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const saved: Kind = {
  read: ({ journal, id }) => asJson(journal.read(id)),
  given: (harmed) => [harmed as readonly Event[], {}],
}
/** The logs of runs without a journal, whose notes contain the logs of child runs. */
const alone = new Map<string, readonly Event[]>()
for (const { name, describe } of samples) {
  const run = describe(() => {}).start('Go', { id: name })
  await run.settled
  alone.set(name, run.log)
}
const savedAlone: Kind = { ...saved, read: ({ name }) => asJson(alone.get(name)) }
const logs: Kind = {
  read: ({ journal, id }) => asJson(journal.read(id)),
  given: (harmed, { id }, onEffect) => [
    id,
    { journal: { ...memoryJournal(), read: () => harmed as never, append: onEffect, claim: onEffect as () => number } },
  ],
}

it.each([
  ['saved logs', saved],
  ['logs of runs without a journal', savedAlone],
  ['logs in a journal', logs],
])('resumes or refuses a thousand damaged %s, and has done nothing with what it refuses', async (what, kind) => {
  const trials = thousand(kind)

  const { resumed, refused, crashes, ms } = await resumeAll(trials)

  expect(crashes).toEqual([])
  expect(resumed.length + refused.length).toBe(1_000)
  expect(refused.length).toBeGreaterThan(500)
  const codes = ['log_invalid', 'agent_mismatch', 'run_unknown']
  expect(refused.filter((each) => !codes.includes(each))).toEqual([])
  for (const run of resumed) expect(await run.settled).not.toMatchObject({ error: { code: 'step_failed' } })
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  console.info(`1,000 damaged ${what} in ${ms} ms: ${resumed.length} resumed, ${refused.length} refused`)
})
