import { messageOf } from '../../error.ts'
import type { Event } from '../../event.ts'
import type { ListOptions, RunSummary } from '../../journal.ts'
import { asJson, fromJson } from '../../json.ts'
import { maxDate } from '../../options.ts'
import { type checkList, lists, newest, newestFirst, noSummary, storedSummary, summarize } from '../runList.ts'
import {
  descendantIds,
  hashOf,
  keysOf,
  type Place,
  putBack,
  resultOf,
  type StoredEvents,
  type StoredRun,
  type Transaction,
  takeOut,
} from './stores.ts'

/** Reads only the requested runs: from the newest end of an index, or the children of one run. */
export async function listRuns(
  transaction: Transaction,
  { limit, ...options }: ReturnType<typeof checkList>,
): Promise<readonly RunSummary[]> {
  if (limit === 0) return []
  const isListed = lists(options)
  if (options.below !== undefined) {
    const [first, end] = descendantIds(options.below)
    const below = await resultOf(transaction.objectStore('runs').getAll(IDBKeyRange.bound(first, end, false, true)))
    // No index has runs without events.
    return below
      .filter(({ summary }) => summary)
      .map(shown)
      .filter(isListed)
      .sort(newestFirst)
      .slice(0, limit)
  }
  const summaries: RunSummary[] = []
  const request = openNewest(transaction, options)
  for (let cursor = await resultOf(request); cursor; cursor = await resultOf(request)) {
    const summary = shown(cursor.value)
    if (isListed(summary)) summaries.push(summary)
    if (summaries.length >= limit) break
    cursor.continue()
  }
  return summaries
}

function openNewest(transaction: Transaction, { agent, ...options }: ListOptions) {
  const before = newest(options)
  // A damaged time after the last date would come first, although it is shown as the oldest.
  const [time, open] = before.time > maxDate ? [maxDate, false] : [before.time, before.open]
  const runs = transaction.objectStore('runs')
  return agent === undefined
    ? runs.index('updatedAt').openCursor(IDBKeyRange.upperBound(time, open), 'prev')
    : runs.index('agent').openCursor(IDBKeyRange.bound([agent], [agent, time], false, open), 'prev')
}

const shown = ({ runId, summary }: StoredRun): RunSummary => storedSummary(runId, summary)

/**
 * Returns the runs that no index has, or not under their agent and time, since their list entries are damaged. Counts
 * first, because there is almost never one.
 */
export async function hiddenRuns(transaction: Transaction): Promise<readonly StoredRun[]> {
  const runs = transaction.objectStore('runs')
  const [all, ...listed] = await Promise.all([
    resultOf(runs.count()),
    resultOf(runs.index('updatedAt').count(IDBKeyRange.bound(0, maxDate))),
    // Strings are before arrays in the order of keys.
    resultOf(runs.index('agent').count(IDBKeyRange.bound([''], [[]]))),
  ])
  if (listed.every((count) => count === all)) return []
  const hidden: StoredRun[] = []
  for (const run of await resultOf(runs.getAll())) {
    const { agent, updatedAt } = shown(run)
    if (agent === run.summary?.agent && updatedAt === run.summary.updatedAt) continue
    // A run that is claimed and has no events yet is not listed.
    if (run.summary || (await resultOf(transaction.objectStore('events').openKeyCursor(keysOf(run.runId), 'prev'))))
      hidden.push(run)
  }
  return hidden
}

/** Computes the list entries of hidden runs again from their logs, so that they are listed and can be deleted. */
export async function showHidden(transaction: Transaction): Promise<void> {
  for (const run of await hiddenRuns(transaction)) {
    const log = await readEvents(transaction, run.runId)
    const summary = storedSummary(run.runId, { ...run.summary, ...summaryOfDamaged(log) })
    await resultOf(transaction.objectStore('runs').put({ ...run, summary }))
  }
}

/** Returns the summary of a log that may be damaged too; it is then undefined. */
function summaryOfDamaged(log: readonly Event[]): RunSummary | undefined {
  try {
    return log.length > 0 ? summarize(noSummary, log) : undefined
  } catch {
    return undefined
  }
}

/** Returns the summary for a log of this length, recomputed from the log if the stored one does not match. */
export async function summaryOf(
  transaction: Transaction,
  { summary, runId }: StoredRun,
  length: number,
): Promise<RunSummary> {
  if (length === 0) return noSummary
  const isValid = summary?.events === length && summary.runId === runId
  return isValid ? shown({ runId, summary }) : summarize(noSummary, await readEvents(transaction, runId))
}

/** Values that are stored separately, by their hash. */
type LargeValues = ReadonlyMap<string, unknown>

/** Hashes large values before the transaction starts, because it would end while waiting for a hash. */
export async function prepare(events: readonly Event[]): Promise<{ stored: StoredEvents; values: LargeValues }> {
  const taken = events.map(takeOut)
  const large = taken.flatMap((event, index) => event.large.map((each) => ({ ...each, path: [index, ...each.path] })))
  const hashes = await Promise.all(large.map(({ json }) => hashOf(json)))
  const places = large.flatMap(({ path }, index): Place | [] => (hashes[index] ? { path, hash: hashes[index] } : []))
  // Without a hash function, and almost always, the events are stored as they are.
  if (places.length === 0 || places.length < large.length) return { stored: { events }, values: new Map() }
  const values = new Map(places.map(({ hash }, index) => [hash, large[index]?.value]))
  return { stored: { events: taken.map(({ rest }) => rest), places, large: [...values.keys()] }, values }
}

/** Stores the values that are not stored yet. */
export async function storeValues(values: LargeValues, transaction: Transaction): Promise<void> {
  const store = transaction.objectStore('values')
  for (const [hash, value] of values)
    if ((await resultOf(store.count(hash))) === 0) await resultOf(store.put(value, hash))
}

/** Returns the events of a run from a position, with their large values. */
export async function readEvents(transaction: Transaction, runId: string, from = 0): Promise<readonly Event[]> {
  const records = await resultOf(transaction.objectStore('events').getAll(keysOf(runId, from)))
  const events = (await Promise.all(records.map((each) => restore(each, transaction)))).flat()
  // The first record may begin before the position.
  return from === 0 ? events : events.filter((event) => !(event.seq < from))
}

/** Restores complete events. Those that cannot be restored become an invalid event, which can be inspected. */
async function restore(record: StoredEvents, transaction: Transaction): Promise<readonly Event[]> {
  try {
    const { events, places = [] } = record
    for (const { path, hash } of places) {
      const value = await resultOf(transaction.objectStore('values').get(hash))
      if (value === undefined) throw new Error(`The value ${hash} is missing.`)
      putBack(events, path, value)
    }
    return events.map((event) => event ?? damaged('It is empty.', record))
  } catch (error) {
    return [damaged(messageOf(error), record)]
  }
}

/** Returns an invalid event that replaces damaged ones. */
const damaged = (why: string, record: unknown): Event => fromJson(asJson({ type: 'damaged', why, record }))

/** Returns the hashes of the large values of a record. */
export function hashesOf(record: unknown): readonly string[] {
  const { large }: Partial<StoredEvents> = Object(record)
  return Array.isArray(large) ? large.filter((hash) => typeof hash === 'string') : []
}

/**
 * The number of events that are written again as one page, in the transaction of the latest write: reading a record has
 * a fixed cost, however small it is.
 */
const pageSize = 128

/** Takes out the records that form a page with the new events, up to this length; undefined if there are too few. */
export async function takeForPage(
  transaction: Transaction,
  { runId, paged = 0 }: Pick<StoredRun, 'runId' | 'paged'>,
  length: number,
): Promise<readonly StoredEvents[] | undefined> {
  if (length - paged < pageSize) return undefined
  const log = transaction.objectStore('events')
  const records = await resultOf(log.getAll(keysOf(runId, paged)))
  await resultOf(log.delete(keysOf(runId, paged)))
  return records
}

/** Merges several records into one. */
export function toPage(records: readonly StoredEvents[]): StoredEvents {
  const events: Event[] = []
  const places: Place[] = []
  for (const record of records) {
    for (const { path, hash } of record.places ?? []) {
      const [index, ...way] = path
      places.push({ path: [events.length + Number(index), ...way], hash })
    }
    // One by one: a call with as many arguments as an imported run has events would overflow the stack.
    for (const event of record.events) events.push(event)
  }
  return places.length === 0 ? { events } : { events, places, large: [...new Set(places.map(({ hash }) => hash))] }
}
