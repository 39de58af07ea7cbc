import type { LiveEvent } from '@interleave/core/observe'
import type { HubPost } from './hubPost.ts'

/**
 * Lets what is told of turns through, as far as it makes sense: where something in the middle of a turn is missing, the rest of
 * that turn would read as if it were whole. It is left out, up to the next turn, and shows itself when it is finished.
 */
export interface WholeTurns {
  /** So many of a post were here already, since it was sent again. */
  known(post: HubPost): number
  /** What may be shown of these. */
  pass(run: string, from: string, events: readonly LiveEvent[]): readonly LiveEvent[]
}

/** So many turns, and processes that tell of them, are remembered. What is forgotten counts as missing. */
const most = 1_000

export function wholeTurns(): WholeTurns {
  /** The number of what comes next, by who tells it. */
  const next = new Map<string, number>()
  /** Who tells of the turn at hand, by the run, where nothing of it is missing. */
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

/** What came of the turn before is void from here on. */
const begins = ({ type }: LiveEvent): boolean => type === 'thinking' || type === 'retrying'

function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > most && oldest !== undefined) map.delete(oldest)
}
