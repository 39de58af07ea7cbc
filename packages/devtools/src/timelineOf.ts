import type { Event } from '@interleave/core'
import { callRows } from './callRows.ts'
import { markRows } from './markRows.ts'
import type { RunLog } from './runLog.ts'
import type { TimelineRow } from './timelineRow.ts'
import { turnRows } from './turnRows.ts'
import { waitRows } from './waitRows.ts'

/** What happened in a run, in the order in which it began. */
export interface Timeline {
  readonly rows: readonly TimelineRow[]
  /** When nobody worked, in order: the run rested, or its page was away. */
  readonly gaps: readonly Gap[]
  readonly start: number
  /** The latest moment that is known of. */
  readonly end: number
  /** Something goes on: what has no end grows. */
  readonly isWorking: boolean
}

export interface Gap {
  readonly start: number
  readonly end: number
  /** It waits for a person; otherwise nobody wanted anything of it, or its page was away. */
  readonly isWait: boolean
}

/**
 * The timeline of a log. Calls of models tell when they ended and how long they took; when their first token came only those
 * know who watched (`useRunLog`).
 */
export function timelineOf(log: RunLog): Timeline {
  const { events, toldAt, isStill } = log
  const rows = [...markRows(events), ...turnRows(log), ...callRows(events), ...waitRows(events)].sort(byBegin)
  const start = Math.min(events[0]?.at ?? toldAt, ...(rows[0] ? [rows[0].start] : []))
  return {
    rows,
    gaps: gapsOf(events),
    start,
    end: rows.reduce((latest, row) => Math.max(latest, row.start, row.end ?? 0), Math.max(start, toldAt)),
    isWorking: !isStill && events.length > 0 && events.at(-1)?.type !== 'rested',
  }
}

const byBegin = (a: TimelineRow, b: TimelineRow): number =>
  a.start - b.start || (a.kind === 'rest' ? 1 : 0) - (b.kind === 'rest' ? 1 : 0) || a.seq - b.seq || a.depth - b.depth

/** Of a run that rests with a question, the last one has not ended: it is as long as what is known of. */
function gapsOf(events: readonly Event[]): readonly Gap[] {
  return events.slice(1).flatMap((event, index) => {
    const before = events[index]
    if (!before || event.at <= before.at) return []
    if (before.type === 'rested') return [{ start: before.at, end: event.at, isWait: isWait(before) }]
    return event.type === 'resumed' ? [{ start: before.at, end: event.at, isWait: false }] : []
  })
}

const isWait = ({ signal }: Extract<Event, { readonly type: 'rested' }>): boolean =>
  signal.type === 'inputNeeded' || signal.type === 'limitReached'
