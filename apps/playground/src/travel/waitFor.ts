import type { Event } from '@interleave/core'

/** People think for minutes, and pages sleep for days. Nobody wants to see that again. */
const longestMs = 3_000
/** Simultaneous events are shown one after the other. */
const shortestMs = 40

export const speeds = [1, 4, 16] as const
export type Speed = (typeof speeds)[number]

/** Returns the milliseconds that a replay waits after an event; undefined at the end. */
export function waitFor(events: readonly Event[], at: number, speed: Speed): number | undefined {
  const [event, next] = [events[at], events[at + 1]]
  if (!event || !next) return undefined
  return Math.max(shortestMs, Math.min(longestMs, next.at - event.at) / speed)
}
