import type { LiveEvent } from '@interleave/core/observe'
import type { HubPost } from './hubPost.ts'

/**
 * Filters live events of turns: after a gap, the rest of that turn would look complete. It is omitted until the next
 * turn, and the turn appears when it is finished.
 */
export interface WholeTurns {
  /** So many of a post were here already, since it was sent again. */
  known(post: HubPost): number
  /** Returns the events that may be shown. */
  pass(run: string, from: string, events: readonly LiveEvent[]): readonly LiveEvent[]
}

/** The number of turns and senders that are remembered. Forgotten ones count as incomplete. */
const most = 1_000

export function wholeTurns(): WholeTurns {
  /** The number of what comes next, by who tells it. */
  const next = new Map<string, number>()
  /** The sender of each run's current turn, if nothing of it is missing. */
  const whole = new Map<string, string>()

  const breakOff = (from: string): void => {
    for (const [run, by] of whole) if (by === from) whole.delete(run)
  }
  return {
    known({ from, first, told }) {
      const expected = next.get(from) ?? 0
      if (first > expected) breakOff(from)
      remember(next, from, Math.max(expected, first + told.length))
      return Math.max(0, expected - first)
    },
    pass(run, from, events) {
      const passed: LiveEvent[] = []
      for (const event of events) {
        if (begins(event)) remember(whole, run, from)
        if (event.type !== 'delta' || whole.get(run) === from) passed.push(event)
      }
      return passed
    },
  }
}

/** Returns true if this event discards the previous turn. */
const begins = ({ type }: LiveEvent): boolean => type === 'thinking' || type === 'retrying'

function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > most && oldest !== undefined) map.delete(oldest)
}
