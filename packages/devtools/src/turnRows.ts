import type { Event } from '@interleave/core'
import type { EventOf } from '@interleave/core/observe'
import { retryRows } from './retryRows.ts'
import type { RunLog, TurnNotes } from './runLog.ts'
import type { RowState, TimelineRow } from './timelineRow.ts'

/** One row for each call of a model, the one that streams now included, and one for each time it was tried again. */
export function turnRows(log: RunLog): readonly TimelineRow[] {
  const { events, turns } = log
  const thoughts = events.filter((event) => event.type === 'thought')
  const rows = thoughts.map((thought) => toRow(thought, turns.get(thought.iteration)))
  const retries = retryRows(log)
  const iteration = (thoughts.at(-1)?.iteration ?? 0) + 1
  const streaming = turns.get(iteration)
  if (!streaming || events.at(-1)?.type === 'rested') return [...retries, ...rows]
  return [...retries, ...rows, toStreaming(streaming, { iteration, seq: events.length })]
}

function toRow({ seq, at, ms, iteration, error }: EventOf<'thought'>, notes: TurnNotes | undefined): TimelineRow {
  const start = at - Math.max(0, ms)
  const first = notes?.firstTokenAt
  return {
    id: `turn ${iteration}`,
    kind: 'turn',
    title: `Turn ${iteration}`,
    state: stateOf(error),
    seq,
    start,
    end: at,
    ...(first !== undefined && { firstTokenAt: Math.min(at, Math.max(start, first)) }),
    depth: 0,
  }
}

const stateOf = (error: EventOf<'thought'>['error']): RowState =>
  error ? (error.code === 'stopped' ? 'stopped' : 'failed') : 'done'

type Place = Pick<Event, 'iteration' | 'seq'>

function toStreaming({ startedAt, firstTokenAt, retries }: TurnNotes, { iteration, seq }: Place): TimelineRow {
  const latest = retries.at(-1)
  return {
    id: `turn ${iteration}`,
    kind: 'turn',
    title: `Turn ${iteration}`,
    state: 'working',
    seq,
    start: latest ? Math.max(startedAt, latest.at + latest.inMs) : startedAt,
    end: undefined,
    ...(firstTokenAt !== undefined && { firstTokenAt }),
    depth: 0,
  }
}
