import type { Event } from '@interleave/core'
import type { RunLog } from './runLog.ts'
import { callRows, markRows, type TimelineRow, turnRows, waitRows } from './timelineRows.ts'

/** The rows of a run, in the order in which they began. */
export interface Timeline {
  readonly rows: readonly TimelineRow[]
  /** Idle periods, in order: the run was paused, or its page was closed. */
  readonly gaps: readonly Gap[]
  readonly start: number
  /** The latest moment that is known of. */
  readonly end: number
  /** Something is running: rows without an end grow. */
  readonly isWorking: boolean
}

export interface Gap {
  readonly start: number
  readonly end: number
  /** True while it waits for a user; otherwise the run had nothing to do, or its page was closed. */
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

/** Returns the idle periods. If the run waits for a reply, the last one is still open, and as long as what is known. */
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
