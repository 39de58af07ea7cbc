import type { Event, Observer } from '@interleave/core'
import { isKept } from '@interleave/core/observe'

/** Every event of a run that is kept, from its first. An array that is never changed, only replaced. */
export interface EventLog {
  readonly events: readonly Event[]
  readonly observer: Observer
}

export function createEventLog(past: readonly Event[] = []): EventLog {
  let events = past
  return {
    get events() {
      return events
    },
    observer: {
      onEvent(event) {
        if (isKept(event)) events = [...events, event]
      },
    },
  }
}
