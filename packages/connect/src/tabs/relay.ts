import type { Observer, RunState } from '@interleave/core'
import type { Feed } from '@interleave/core/internal'
import { type AnyEvent, isKept, type LiveEvent } from '@interleave/core/observe'

/** Tells what a run that works in this tab does, once what went before is known here. */
export interface Relay {
  readonly observer: Observer
  /** Returns the length of the log before the first event that is held back; undefined if there is none. */
  firstHeld(): number | undefined
  open(): void
  /** Closes the relay: the run is not the current one any more. */
  close(): void
}

interface RelayOptions {
  readonly feed: Feed
  /** Something live, and how many events went before. */
  readonly onLive: (after: number, event: LiveEvent) => void
  /** Called when another owner took over. */
  readonly onConflict: () => void
}

export function createRelay({ feed, onLive, onConflict }: RelayOptions): Relay {
  const held: [AnyEvent, RunState][] = []
  let phase: 'held' | 'open' | 'closed' = 'held'

  const tell = (event: AnyEvent, state: RunState): void => {
    if (isConflict(event)) {
      onConflict()
      return
    }
    feed.tell(event, state)
    if (!isKept(event)) onLive(state.seq, event)
  }
  return {
    observer: {
      onEvent(event, state) {
        if (phase === 'held') held.push([event, state])
        else if (phase === 'open') tell(event, state)
      },
    },
    firstHeld: () => held.map(([event]) => event).find(isKept)?.seq,
    open() {
      phase = 'open'
      for (const each of held.splice(0)) tell(...each)
    },
    close() {
      phase = 'closed'
    },
  }
}

const isConflict = (event: AnyEvent): boolean =>
  event.type === 'rested' && event.signal.type === 'failed' && event.signal.error.code === 'journal_conflict'
