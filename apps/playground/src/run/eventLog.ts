import type { Event, Observer } from '@interleave/core'
import { isKept } from '@interleave/core/observe'

/** Every event of a run that is kept, from its first. An array that is never changed, only replaced. */
export interface EventLog {
  readonly events: readonly Event[]
  readonly observer: Observer
  /** Takes what was written before the first event that was heard, and gives that. */
  precede(past: readonly Event[]): readonly Event[]
}

export function createEventLog(): EventLog {
  let events: readonly Event[] = []
  return {
    get events() {
      return events
    },
    observer: {
      onEvent(event) {
        if (isKept(event)) events = [...events, event]
      },
    },
    precede(past) {
      const heard = events[0]?.seq ?? Number.POSITIVE_INFINITY
      const found = past.filter(({ seq }) => seq < heard)
      events = [...found, ...events]
      return found
    },
  }
}
