import { checkOptions } from '#checks'
import type { Event } from '../../event.ts'
import type { AppendOptions, Journal, ListOptions, RunSummary, WatchableJournal } from '../../journal.ts'
import { checkKey, checkRunId } from '../../options.ts'
import { journalEngine } from '../journalEngine.ts'
import { checkList, conflict, looksDifferent, staleOwner, summarize, wholeNumber } from '../runList.ts'
import { announceChange, watchChanges } from './channel.ts'
import { createConnection } from './connection.ts'
import {
  hashesOf,
  hiddenRuns,
  listRuns,
  prepare,
  readEvents,
  showHidden,
  storeValues,
  summaryOf,
  takeForPage,
  toPage,
} from './runs.ts'
import { descendantIds, keysOf, resultOf, runSchema, type StoredRun, type Transaction } from './stores.ts'

export interface IndexedDbJournalOptions {
  /** The name of the database; `interleave` by default. */
  name?: string
}

/**
 * Creates a journal in the browser's database. It survives the page, and all tabs of an origin share it. Works in
 * workers too. Each append is one transaction, and resolves when it is complete. Values over 64 KB are stored once,
 * however many events contain them.
 *
 * Without room the run fails with `journal_full`; if another tab deletes the database, with `journal_conflict`, or with
 * `run_unknown` if tabs share the run. The run object still has everything.
 */
export function indexedDbJournal(options: IndexedDbJournalOptions = {}): Required<Journal> & WatchableJournal {
  checkOptions('indexedDbJournal()', options, ['name'])
  const { name = 'interleave' } = options
  const { read, write } = createConnection(name, runSchema)
  /** Returns true if a run was hidden. One that cannot be written, such as without room, stays hidden. */
  async function showHiddenRuns(): Promise<boolean> {
    if ((await read(hiddenRuns)).length === 0) return false
    return write(showHidden).then(
      () => true,
      () => false,
    )
  }
  return {
    engine: journalEngine,
    identity: `indexedDB ${name}`,
    async append(runId: string, events: readonly Event[], options: AppendOptions = {}): Promise<void> {
      checkRunId(runId)
      const [first] = events
      if (!first) return
      const prepared = await prepare(events)
      const isDifferent = await write(async (transaction) => {
        const run = { ...(await checkOwner(transaction, runId, first.seq, options.epoch)), runId }
        const before = await summaryOf(transaction, run, first.seq)
        const [runs, log] = [transaction.objectStore('runs'), transaction.objectStore('events')]
        const after = summarize(before, events)
        const length = first.seq + events.length
        const recent = await takeForPage(transaction, run, length)
        await Promise.all([
          resultOf(runs.put({ ...run, summary: after, ...(recent && { paged: length }) })),
          resultOf(log.put(recent ? toPage([...recent, prepared.stored]) : prepared.stored, [runId, length - 1])),
          storeValues(prepared.values, transaction),
        ])
        return looksDifferent(before, after)
      }, options.durability)
      if (isDifferent) announceChange(name)
    },
    async read(runId: string, from = 0): Promise<readonly Event[]> {
      checkKey(runId)
      return read((transaction) => readEvents(transaction, runId, wholeNumber(from)))
    },
    async list(options?: ListOptions): Promise<readonly RunSummary[]> {
      const wanted = checkList(options)
      const list = () => read((transaction) => listRuns(transaction, wanted))
      const listed = await list()
      // Only the last page checks for hidden runs, so that the others take the same time however many runs there are.
      if (listed.length >= wanted.limit || !(await showHiddenRuns())) return listed
      announceChange(name)
      return list()
    },
    async delete(runId: string): Promise<void> {
      checkKey(runId)
      await write((transaction) => deleteRun(transaction, runId))
      announceChange(name)
    },
    async claim(runId: string, length: number): Promise<number> {
      checkKey(runId)
      return write((transaction) => claimRun(transaction, runId, length))
    },
    watch: (listener: () => void) => watchChanges(name, listener),
  }
}

/** Returns the stored data of a run whose log ends before `seq`. Throws `journal_conflict` for a stale owner. */
async function checkOwner(
  transaction: Transaction,
  runId: string,
  seq: number,
  epoch?: number,
): Promise<Partial<StoredRun>> {
  const [run, last] = await Promise.all([
    resultOf(transaction.objectStore('runs').get(runId)),
    resultOf(transaction.objectStore('events').openKeyCursor(keysOf(runId), 'prev')),
  ])
  const [, seqOfLast = -1] = (last?.primaryKey ?? []) as readonly number[]
  const length = seqOfLast + 1
  if (seq !== length) throw conflict(runId, length, seq, run?.epoch)
  if (epoch !== undefined && epoch !== run?.epoch) throw staleOwner(runId)
  return run ?? {}
}

/** Makes the caller the owner. The epoch is above both the counter and the run's own, in case one was lost. */
async function claimRun(transaction: Transaction, runId: string, length: number): Promise<number> {
  const run = await checkOwner(transaction, runId, length)
  const counters = transaction.objectStore('counters')
  const epoch = Math.max(...[await resultOf(counters.get('epoch')), run.epoch].map(orNone)) + 1
  await resultOf(counters.put(epoch, 'epoch'))
  await resultOf(transaction.objectStore('runs').put({ ...run, runId, epoch }))
  return epoch
}

const orNone = (epoch: unknown): number => (Number.isSafeInteger(epoch) ? (epoch as number) : 0)

/** Deletes a run, its child runs, and the large values that no other run has. */
async function deleteRun(transaction: Transaction, runId: string): Promise<void> {
  const [runs, events] = [transaction.objectStore('runs'), transaction.objectStore('events')]
  const [first, end] = descendantIds(runId)
  const logs = [keysOf(runId), IDBKeyRange.bound([first], [end], false, true)]
  const deleted = (await Promise.all(logs.map((log) => resultOf(events.getAll(log))))).flat()
  await Promise.all([
    ...logs.map((log) => resultOf(events.delete(log))),
    resultOf(runs.delete(runId)),
    resultOf(runs.delete(IDBKeyRange.bound(first, end, false, true))),
  ])
  for (const hash of new Set(deleted.flatMap(hashesOf))) {
    if ((await resultOf(events.index('large').count(hash))) === 0)
      await resultOf(transaction.objectStore('values').delete(hash))
  }
}
