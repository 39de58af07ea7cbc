import type { Event, RunState } from '@interleave/core'
import { hideReasoning } from '@interleave/core/internal'
import type { AnyEvent, LiveEvent } from '@interleave/core/observe'
import { isKept } from '@interleave/core/observe'
import { withSafeErrors } from './withSafeErrors.ts'

/** The events of a run for clients: all of them, or without the thoughts of an agent that hides them. */
export interface ShownEvents {
  kept(events: readonly Event[]): readonly Event[]
  live(events: readonly LiveEvent[]): readonly LiveEvent[]
}

export function shownEvents({ exposeReasoning }: Pick<RunState, 'exposeReasoning'>): ShownEvents {
  if (exposeReasoning !== false) {
    return { kept: (events) => events.map(withSafeErrors), live: (events) => events.map(withSafeErrors) }
  }
  const hide = hideReasoning({ mayCall: true })
  return {
    kept: (events) =>
      events
        .map(withSafeErrors)
        .flatMap((event): readonly AnyEvent[] => hide(event))
        .filter(isKept),
    // Whether a text that streams is a thought or the answer shows itself only at its end.
    live: (events) => events.map(withSafeErrors).filter((event) => event.type !== 'delta' || event.kind === 'input'),
  }
}
