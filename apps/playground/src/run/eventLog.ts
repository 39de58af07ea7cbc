import type { Event, Listener } from '@interleave/core'
import { isKept } from '@interleave/core/observe'

/** All durable events of a run. The array is never changed, only replaced. */
export interface EventLog {
  readonly events: readonly Event[]
  readonly observer: Listener
  /** Adds the events before the first one that was received. */
  precede(past: readonly Event[]): void
}

export function createEventLog(): EventLog {
  let events: readonly Event[] = []
  return {
    get events() {
      return events
    },
    observer(event) {
      if (event.type === 'rewound') events = events.filter(({ seq }) => seq < event.to)
      if (isKept(event)) events = [...events, event]
    },
    precede(past) {
      const received = events[0]?.seq ?? Number.POSITIVE_INFINITY
      events = [...past.filter(({ seq }) => seq < received), ...events]
    },
  }
}
