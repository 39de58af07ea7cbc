import { checkKey, checkRunId } from '../../checkRunId.ts'
import type { Event } from '../../event.ts'
import type { AppendOptions, Journal, ListOptions, RunSummary, WatchableJournal } from '../../journal.ts'
import { looksDifferent, summarize } from '../summarize.ts'
import { tellChange, watchChanges } from './changes.ts'
import { checkOwner } from './checkOwner.ts'
import { claimRun } from './claimRun.ts'
import { createConnection } from './connection.ts'
import { deleteRun } from './deleteRun.ts'
import { listRuns } from './listRuns.ts'
import { takeForPage, toPage } from './page.ts'
import { prepare, readEvents, storeValues } from './storedEvents.ts'
import { summaryOf } from './summaryOf.ts'

export interface IndexedDbJournalOptions {
  /** The name of the database; `interleave` by default. */
  name?: string
}

/**
 * Creates a journal in the browser's database. It survives the page, and all tabs of an origin share it. Works in
 * workers too. Each append is one transaction, and resolves when it is complete. Values over 64 KB are stored once,
 * however many events contain them.
 *
 * Without room the run fails with `journal_full`; if another tab deletes the database, with `journal_conflict`. The run
 * object still has everything.
 */
export function indexedDbJournal({
  name = 'interleave',
}: IndexedDbJournalOptions = {}): Required<Journal> & WatchableJournal {
  const { read, write } = createConnection(name)
  return {
    async append(runId: string, events: readonly Event[], options: AppendOptions = {}): Promise<void> {
      checkRunId(runId)
      const [first] = events
      if (!first) return
      const prepared = await prepare(events)
      const isNews = await write(async (transaction) => {
        const run = { ...(await checkOwner(transaction, { runId, seq: first.seq, epoch: options.epoch })), runId }
        const before = await summaryOf(transaction, run, first.seq)
        const [runs, log] = [transaction.objectStore('runs'), transaction.objectStore('events')]
        const after = summarize(before, events)
        const length = first.seq + events.length
        const recent = await takeForPage(transaction, { ...run, length })
        await Promise.all([
          runs.put({ ...run, summary: after, ...(recent && { paged: length }) }),
          log.put(recent ? toPage([...recent, prepared.stored]) : prepared.stored, [runId, length - 1]),
          storeValues(prepared, transaction),
        ])
        return looksDifferent(before, after)
      }, options.durability)
      if (isNews) tellChange(name)
    },
    async read(runId: string, from = 0): Promise<readonly Event[]> {
      checkKey(runId)
      return read((transaction) => readEvents(transaction, runId, from))
    },
    list: (options: ListOptions = {}): Promise<readonly RunSummary[]> =>
      read((transaction) => listRuns(transaction, options)),
    async delete(runId: string): Promise<void> {
      checkKey(runId)
      await write((transaction) => deleteRun(transaction, runId))
      tellChange(name)
    },
    async claim(runId: string, length: number): Promise<number> {
      checkKey(runId)
      return write((transaction) => claimRun(transaction, runId, length))
    },
    watch: (listener: () => void) => watchChanges(name, listener),
  }
}
