import type { Event } from '@interleave/core'
import { checkArgument, isOver } from '@interleave/core/internal'
import type { RunLog } from './runLog.ts'
import { callRows, markRows, retryRows, type TimelineRow, turnRows, waitRows } from './timelineRows.ts'

/** The rows of a run, in the order in which they began. */
export interface Timeline {
  readonly rows: readonly TimelineRow[]
  /** Idle periods, in order: the run was paused, or its page was closed. */
  readonly gaps: readonly Gap[]
  readonly start: number
  /** The latest known moment. */
  readonly end: number
  /** True if something is running: rows without an end grow. */
  readonly isWorking: boolean
}

export interface Gap {
  readonly start: number
  readonly end: number
  /** True while it waits for a user; otherwise the run had nothing to do, or its page was closed. */
  readonly isWait: boolean
}

/**
 * Returns the timeline of a log, without React. The log has the end and duration of each model call; only a log that was
 * observed live (`useRunLog`) has the time of the first token.
 */
export function timelineOf(log: RunLog): Timeline {
  checkArgument(Object(log).events, 'events of timelineOf()', 'a list')
  const { events, updatedAt, isStill } = log
  const rows = [
    ...markRows(events),
    ...retryRows(log),
    ...turnRows(log),
    ...callRows(events),
    ...waitRows(events),
  ].sort(byStart)
  const start = Math.min(events[0]?.at ?? updatedAt, rows[0]?.start ?? Number.POSITIVE_INFINITY)
  return {
    rows,
    gaps: gapsOf(events),
    start,
    end: rows.reduce((latest, row) => Math.max(latest, row.start, row.end ?? 0), Math.max(start, updatedAt)),
    isWorking: !isStill && events.length > 0 && events.at(-1)?.type !== 'settled',
  }
}

const byStart = (a: TimelineRow, b: TimelineRow): number =>
  a.start - b.start || Number(a.kind === 'settled') - Number(b.kind === 'settled') || a.seq - b.seq || a.depth - b.depth

/** Returns the idle periods. A pause that has not ended yet is not one of them. */
const gapsOf = (events: readonly Event[]): readonly Gap[] =>
  events.slice(1).flatMap((event, index) => {
    const before = events[index]
    if (!before || event.at <= before.at || (before.type !== 'settled' && event.type !== 'resumed')) return []
    const signal = before.type === 'settled' ? before.signal.type : undefined
    return [{ start: before.at, end: event.at, isWait: signal !== undefined && !isOver(signal) }]
  })
