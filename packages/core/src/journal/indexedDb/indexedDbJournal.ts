import type { Event } from '../../event.ts'
import type { AppendOptions, Journal, ListOptions, RunSummary } from '../../journal.ts'
import { summarize } from '../summarize.ts'
import { checkOwner } from './checkOwner.ts'
import { createConnection } from './connection.ts'
import { deleteRun } from './deleteRun.ts'
import { listRuns } from './listRuns.ts'
import { prepare, restore, storeValues } from './storedEvents.ts'

export interface IndexedDbJournalOptions {
  /** The name of the database; `interleave` by default. */
  name?: string
}

/**
 * A journal in the browser's own database: it outlives the page, and all tabs of an origin share it. Works in workers too.
 * Each append is one transaction, and resolves when it is complete. Texts and values over 64 KB are stored once, however many
 * events have them.
 *
 * When there is no room the run rests with `failed` and `journal_full`; when another tab deletes the database,
 * with `journal_conflict`. The run object has everything all the same.
 */
export function indexedDbJournal({ name = 'interleave' }: IndexedDbJournalOptions = {}): Required<Journal> {
  const { read, write } = createConnection(name)
  return {
    async append(runId: string, events: readonly Event[], options: AppendOptions = {}): Promise<void> {
      if (events.length === 0) return
      const prepared = await Promise.all(events.map(prepare))
      await write(async (transaction) => {
        const run = await checkOwner(transaction, { runId, seq: events[0]?.seq ?? 0, epoch: options.epoch })
        const [runs, log] = [transaction.objectStore('runs'), transaction.objectStore('events')]
        await Promise.all([
          runs.put({ ...run, runId, summary: summarize(run?.summary, events) }),
          ...prepared.map(({ stored }) => log.put(stored, [runId, stored.event.seq])),
          ...prepared.map((each) => storeValues(each, transaction)),
        ])
      }, options.durability)
    },
    read: (runId: string, from = 0): Promise<readonly Event[]> =>
      read(async (transaction) => {
        const range = IDBKeyRange.bound([runId, from], [runId, Number.POSITIVE_INFINITY])
        const stored = await transaction.objectStore('events').getAll(range)
        return Promise.all(stored.map((each) => restore(each, transaction)))
      }),
    list: (options: ListOptions = {}): Promise<readonly RunSummary[]> =>
      read((transaction) => listRuns(transaction, options)),
    delete: (runId: string): Promise<void> => write((transaction) => deleteRun(transaction, runId)),
    claim: (runId: string, length: number): Promise<number> =>
      write(async (transaction) => {
        const run = await checkOwner(transaction, { runId, seq: length })
        const counters = transaction.objectStore('counters')
        const epoch = ((await counters.get('epoch')) ?? 0) + 1
        await counters.put(epoch, 'epoch')
        await transaction.objectStore('runs').put({ ...run, runId, epoch })
        return epoch
      }),
  }
}
