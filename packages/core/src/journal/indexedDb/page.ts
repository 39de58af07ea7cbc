import type { Event } from '../../event.ts'
import type { Place } from './largeValues.ts'
import { keysOf, type StoredEvents, type StoredRun, type Transaction } from './stores.ts'

/*
 * A record takes its time to be read, however little there is in it. So what was written in many goes is written again as one
 * page when there is enough of it, in the transaction of the latest write.
 */

/** Events from which on it is enough. */
const pageSize = 128

interface Growth extends Pick<StoredRun, 'runId' | 'paged'> {
  /** The number of events including those being written. */
  readonly length: number
}

/** Takes out the records that are to be a page with what is written now; undefined if it is too early. */
export async function takeForPage(
  transaction: Transaction<'readwrite'>,
  { runId, paged = 0, length }: Growth,
): Promise<readonly StoredEvents[] | undefined> {
  if (length - paged < pageSize) return undefined
  const log = transaction.objectStore('events')
  const records = await log.getAll(keysOf(runId, paged))
  await log.delete(keysOf(runId, paged))
  return records
}

/** Several records as one. */
export function toPage(records: readonly StoredEvents[]): StoredEvents {
  const events: Event[] = []
  const places: Place[] = []
  for (const record of records) {
    for (const { path, hash } of record.places ?? []) {
      const [index, ...way] = path
      places.push({ path: [events.length + Number(index), ...way], hash })
    }
    events.push(...record.events)
  }
  return places.length === 0 ? { events } : { events, places, large: [...new Set(places.map(({ hash }) => hash))] }
}
