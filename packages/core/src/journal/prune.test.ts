import { expect, it } from 'vitest'
import { type Event, isAgentError } from '../index.ts'
import { type Journal, memoryJournal, prune } from './index.ts'

const ids = async (journal: Journal) => (await journal.list()).map(({ runId }) => runId)

/** Runs of one event each, by the time of it. */
function journalOf(runs: Record<string, number>, parents: Record<string, string> = {}): Journal {
  const journal = memoryJournal()
  for (const [runId, at] of Object.entries(runs)) {
    const parent = parents[runId]
    const started = { seq: 0, at, iteration: 0, type: 'started', runId, agent: 'a', version: '1' }
    journal.append(runId, [{ ...started, ...(parent && { parent: { runId: parent, key: 'k', depth: 1 } }) } as Event])
  }
  return journal
}

it('deletes what is older, and tells which', async () => {
  const journal = journalOf({ a: 1_000, b: 5_000, c: 9_000 })

  expect(await prune(journal, { olderThan: 5_000, now: 10_000 })).toEqual(['a'])
  expect(await ids(journal)).toEqual(['c', 'b'])
})

it('keeps as many as it is to keep', async () => {
  const journal = journalOf({ a: 1_000, b: 5_000, c: 9_000 })

  expect(await prune(journal, { keep: 1 })).toEqual(['b', 'a'])
  expect(await ids(journal)).toEqual(['c'])
})

it('keeps the child runs a run that it keeps, however old, and deletes them with it', async () => {
  const runs = { a: 9_000, 'a/1': 1_000, b: 2_000, 'b/1': 1_500 }
  const journal = journalOf(runs, { 'a/1': 'a', 'b/1': 'b' })

  expect(await prune(journal, { olderThan: 5_000, keep: 2, now: 10_000 })).toEqual(['b'])
  expect(await ids(journal)).toEqual(['a', 'a/1'])
})

it('deletes nothing unless it is given what is old', async () => {
  const error = await prune(journalOf({ a: 1 }), {}).catch((thrown: unknown) => thrown)

  expect(isAgentError(error) && error.code).toBe('options_invalid')
})

it.each([
  { keep: -1 },
  { keep: Number.NaN },
  { keep: '' },
  { keep: [] },
  { olderThan: -1 },
  { olderThan: '7' },
  { now: null },
])('deletes nothing when it is given %j', async (wrong) => {
  const journal = journalOf({ a: 1_000, b: 5_000 })
  const pruning = async () => prune(journal, { olderThan: 1, ...wrong } as never)

  await expect(pruning()).rejects.toMatchObject({
    code: 'options_invalid',
    message: expect.stringMatching(/0 or more|is null|is NaN/),
  })
  expect(await ids(journal)).toHaveLength(2)
})

it('deletes nothing when the time now is no time', async () => {
  const journal = journalOf({ a: 1_000, b: 5_000 })

  await expect(prune(journal, { olderThan: 1, now: Infinity })).rejects.toThrow('such as Date.now()')
  expect(await ids(journal)).toHaveLength(2)
})

it('deletes the other runs if one cannot be deleted, and says which', async () => {
  const journal = journalOf({ a: 1_000, b: 2_000, c: 3_000 })
  const stuck: Journal = {
    ...journal,
    delete(runId) {
      if (runId === 'b') throw new Error('It is busy.')
      return journal.delete(runId)
    },
  }

  await expect(prune(stuck, { keep: 0 })).rejects.toMatchObject({
    code: 'journal_failed',
    message: expect.stringMatching(/deleted 2 of 3 runs\. The run "b" could not be deleted: .*It is busy/),
  })
  expect(await ids(journal)).toEqual(['b'])
})
