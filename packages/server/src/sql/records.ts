import type { Event } from '@interleave/core'
import { messageOf } from '@interleave/core/internal'
import type { SqlRow } from './sqlTables.ts'

/** The maximum characters of one row, which has two million bytes at most. A character has up to three. */
const most = 500_000

/** Splits the JSON of a record into parts that fit into rows. Surrogate pairs stay together. */
export function toParts(json: string): readonly string[] {
  const parts: string[] = []
  for (let from = 0; from < json.length; ) {
    const end = from + most
    const isInPair = end < json.length && /[\uD800-\uDBFF]/.test(json.charAt(end - 1))
    parts.push(json.slice(from, isInPair ? end - 1 : end))
    from += parts.at(-1)?.length ?? most
  }
  return parts
}

/** Reads the events of ordered rows, from a position. An unreadable record becomes an invalid event. */
export function readRecords(rows: readonly SqlRow[], from = 0): readonly Event[] {
  const records = new Map<unknown, string>()
  for (const { seq, json } of rows) records.set(seq, (records.get(seq) ?? '') + String(json))
  const events = [...records.values()].flatMap(readRecord)
  return from === 0 ? events : events.filter((event) => !(event.seq < from))
}

function readRecord(json: string): readonly Event[] {
  try {
    const events: unknown = JSON.parse(json)
    if (!Array.isArray(events)) throw new TypeError('It is not a list of events.')
    return events
  } catch (error) {
    return [{ type: 'damaged', why: messageOf(error), record: json } as unknown as Event]
  }
}
