import type { Event } from '@interleave/core'
import { landmarks } from './landmarks.ts'

export interface Step {
  readonly by: 'event' | 'turn'
  readonly way: 1 | -1
}

/** The place in a log that is one event or one turn away from another. At its ends there is no further. */
export function stepTo(events: readonly Event[], at: number, { by, way }: Step): number {
  const last = events.length - 1
  if (by === 'event') return Math.min(last, Math.max(0, at + way))
  const turns = landmarks(events).flatMap(({ kind, seq }) => (kind === 'turn' ? [seq] : []))
  const next = way === 1 ? turns.find((seq) => seq > at) : turns.findLast((seq) => seq < at)
  return next ?? (way === 1 ? last : 0)
}
