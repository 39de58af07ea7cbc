import type { Event } from '@interleave/core'
import type { EventOf } from '@interleave/core/observe'
import type { RetryNote, RunLog } from './runLog.ts'
import type { TimelineRow } from './timelineRow.ts'

/** The turn that an event says is tried again; undefined for any other event. */
export function retriedTurn(event: Event): number | undefined {
  const turn = event.type === 'noted' ? /^retries\/(\d+)\/model$/.exec(event.key)?.[1] : undefined
  return turn === undefined ? undefined : Number(turn)
}

/** One row for each time that a model was asked again. The log knows when; why, and how long was waited, who watched. */
export function retryRows({ events, turns }: Pick<RunLog, 'events' | 'turns'>): readonly TimelineRow[] {
  const tries = new Map<number, EventOf<'noted'>[]>()
  for (const event of events) {
    const turn = retriedTurn(event)
    if (turn !== undefined && event.type === 'noted') tries.set(turn, [...(tries.get(turn) ?? []), event])
  }
  return [...tries].flatMap(([turn, noted]) =>
    noted.map((event, index) => {
      const until = noted[index + 1]?.at ?? Number.POSITIVE_INFINITY
      const seen = turns.get(turn)?.retries.find(({ at }) => at >= event.at && at < until)
      return toRow(event, { turn, nth: index + 1, seen })
    }),
  )
}

interface Try {
  readonly turn: number
  readonly nth: number
  readonly seen: RetryNote | undefined
}

const toRow = ({ seq, at }: EventOf<'noted'>, { turn, nth, seen }: Try): TimelineRow => ({
  id: `retry ${turn}/${nth}`,
  kind: 'retry',
  title: seen ? `Try ${nth} failed: ${seen.error.message}` : `Try ${nth} failed`,
  state: 'failed',
  seq,
  start: at,
  end: seen ? Math.max(at, seen.at + seen.inMs) : at,
  depth: 1,
})
