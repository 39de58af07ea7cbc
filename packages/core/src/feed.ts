import { reportLater } from './error.ts'
import { type AnyEvent, type Event, isKept } from './event.ts'
import { fold, reduce } from './reduce.ts'
import type { Listener } from './run.ts'
import type { RunState } from './state.ts'

/** The events of one run: their state and their listeners. */
export interface Feed {
  readonly state: RunState
  readonly events: readonly Event[]
  /** Adds the next event and notifies listeners. `state` is the state after it, if it is already known. */
  tell(event: AnyEvent, state?: RunState): void
  /** Discards all but the first `to` events. The correct events follow. `state` is their fold, if it is known. */
  rewind(to: number, state?: RunState): void
  subscribe(listener: Listener): () => void
}

export function createFeed(past: Pick<Feed, 'state' | 'events'>): Feed {
  const events: Event[] = [...past.events]
  let listeners: readonly Listener[] = []
  let telling = false
  const untold: [AnyEvent, RunState][] = []

  const deliver = (event: AnyEvent, then: RunState): void => {
    for (const listener of listeners) {
      try {
        listener(event, then)
      } catch (error) {
        reportLater(error)
      }
    }
  }
  /**
   * Delivers events in order. If a listener causes another event, it is delivered after all listeners have received the
   * first.
   */
  const hear = (event: AnyEvent, state: RunState): void => {
    feed.state = state
    if (listeners.length === 0) return
    if (telling) {
      untold.push([event, state])
      return
    }
    telling = true
    deliver(event, state)
    for (let next = untold.shift(); next; next = untold.shift()) deliver(...next)
    telling = false
  }

  const feed: Feed & { state: RunState } = {
    state: past.state,
    events,
    tell(event, state = reduce(feed.state, event)) {
      if (isKept(event)) events.push(event)
      hear(event, state)
    },
    rewind(to, state) {
      events.length = to
      hear({ type: 'rewound', to }, state ?? fold(events))
    },
    subscribe(given) {
      // The same function may listen twice, and end only one of the two.
      const listener: Listener = (event, state) => given(event, state)
      listeners = [...listeners, listener]
      return () => {
        listeners = listeners.filter((other) => other !== listener)
      }
    },
  }
  return feed
}
