import { toUIMessages } from '@interleave/ai-sdk'
import { damage } from '@interleave/test-kit/mutateLog'
import { type SampleRun, sampleRuns } from '@interleave/test-kit/sampleRuns'
import { formatTrace } from '@interleave/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isAgentError } from '../error.ts'
import { messagesOf, replay } from '../history/index.ts'
import { exportRun, importRun, type Journal, memoryJournal, type RunFile } from './index.ts'

const samples = await sampleRuns()
const files = await Promise.all(
  samples.map(async ({ id, journal }): Promise<RunFile> => JSON.parse(JSON.stringify(await exportRun(journal, id)))),
)

/** Waits until all work that starts by itself has started. */
const idle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** Shows a run and its row in a list, as pages do. */
async function show(journal: Journal, id: string): Promise<void> {
  const events = await journal.read(id)
  messagesOf(events)
  formatTrace(events)
  toUIMessages(events)
  replay(await exportRun(journal, id)).play(() => {})
  for (const { runId, startedAt, updatedAt, title } of await journal.list()) {
    for (const at of [startedAt, updatedAt, ...events.map((event) => event.at)]) new Date(at).toISOString()
    encodeURIComponent(runId)
    title.slice(0, 9)
  }
}

async function open({ describe }: SampleRun, file: unknown): Promise<string> {
  const journal = memoryJournal()
  const effects: string[] = []
  try {
    const id = await importRun(file, { journal })
    await show(journal, id)
    const { length } = await journal.read(id)
    const run = await describe((what) => effects.push(what)).resume(id, { journal })
    await idle()
    expect(effects).toEqual([])
    expect(run.state.signal).toBeDefined()
    expect(run.state.asks).toEqual([])
    expect(await journal.read(id)).toHaveLength(length)
    if (run.state.signal?.type === 'answer') return 'answer'
    run.resume()
    await run.settled
    // No user has allowed it here.
    expect(effects).not.toContain('pay')
    await show(journal, id)
    return 'continued'
  } catch (error) {
    if (!isAgentError(error)) throw error
    expect(effects).toEqual([])
    if (error.code === 'log_invalid') expect(journal.list()).toEqual([])
    return error.code
  }
}

it('row 21: never acts with a damaged file, and asks again once a user continues it', async () => {
  const ends: Record<string, number> = {}
  const cut = fc.record({ index: fc.nat(samples.length - 1), length: fc.nat(), harm: fc.option(damage) })
  await fc.assert(
    fc.asyncProperty(cut, async ({ index, length, harm }) => {
      const [sample, file] = [samples[index] as SampleRun, files[index] as RunFile]
      const events = structuredClone(file.events.slice(0, 1 + (length % file.events.length)))
      const end = await open(sample, { ...file, events: harm ? harm(events) : events })
      ends[end] = (ends[end] ?? 0) + 1
    }),
    { numRuns: 400 },
  )

  expect(Object.keys(ends)).toEqual(expect.arrayContaining(['continued', 'log_invalid']))
}, 120_000)
