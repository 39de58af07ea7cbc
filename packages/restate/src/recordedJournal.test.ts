import type { Event } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { expect, it } from 'vitest'
import { noHead } from './logObject.ts'
import { recordedJournal } from './recordedJournal.ts'
import type { Appending } from './slices.ts'

const started: Event = { seq: 0, at: 0, iteration: 0, type: 'started', runId: 'run', agent: 'guide', version: '' }
const at = (seq: number, body: { type: 'claimed' | 'observed'; call: string }): Event =>
  ({ seq, at: 0, iteration: 1, ...body, ...(body.type === 'observed' && { value: 1 }) }) as Event

function journalOf(recorded: readonly Event[] = []) {
  const waits: boolean[] = []
  const slices = { append: async (_: readonly Event[], { canWait }: Appending) => void waits.push(canWait) }
  const others = memoryJournal() as Required<ReturnType<typeof memoryJournal>>
  return { waits, journal: recordedJournal({ runId: 'run', head: { ...noHead, epoch: 3 }, recorded, slices, others }) }
}

it('lets only that wait which changes nothing', async () => {
  const { waits, journal } = journalOf()
  await journal.append('run', [started])
  await journal.append('run', [at(1, { type: 'claimed', call: 'pure' })], { durability: 'relaxed' })
  await journal.append('run', [at(2, { type: 'observed', call: 'pure' })])
  await journal.append('run', [at(3, { type: 'claimed', call: 'once' })], { durability: 'strict' })
  await journal.append('run', [at(4, { type: 'observed', call: 'once' })])

  expect(waits).toEqual([false, true, true, false, false])
})

it('lets nothing wait of a call that an attempt before this one began', async () => {
  const { waits, journal } = journalOf([started, at(1, { type: 'claimed', call: 'old' })])
  await journal.append('run', [at(2, { type: 'observed', call: 'old' })])

  expect(waits).toEqual([false])
})

it('has what was recorded and what is written, and refuses what does not follow', async () => {
  const { journal } = journalOf([started])
  await journal.append('run', [at(1, { type: 'claimed', call: 'a' })])

  expect((await journal.read('run')).map(({ seq }) => seq)).toEqual([0, 1])
  expect((await journal.read('run', 1)).map(({ seq }) => seq)).toEqual([1])
  await expect(journal.append('run', [at(1, { type: 'claimed', call: 'b' })])).rejects.toMatchObject({
    code: 'journal_conflict',
  })
})

it('is owned by this invocation, and others are by their own', async () => {
  const { journal } = journalOf([started])

  expect(await journal.claim('run', 1)).toBe(3)
  await expect(journal.claim('run', 0)).rejects.toMatchObject({ code: 'journal_conflict' })
  await journal.append('run/below', [{ ...started, runId: 'run/below' }])
  expect(await journal.read('run/below')).toHaveLength(1)
})
