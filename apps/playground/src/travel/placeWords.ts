import type { Event } from '@interleave/core'
import { duration } from '../parts/wording.ts'

/** Describes the position in the log that time travel shows. */
export function placeWords(events: readonly Event[], at: number): string {
  const [first, event] = [events[0], events[at]]
  if (!first || !event) return ''
  const turn = event.iteration > 0 ? `, turn ${event.iteration}` : ''
  return `Event ${at} of ${events.length - 1}: ${event.type}${turn}, after ${duration(event.at - first.at)}`
}
