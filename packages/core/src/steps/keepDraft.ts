import type { Delta, EventBody } from '../event.ts'
import type { RunContext } from '../run.ts'
import { noUsage } from '../usage.ts'
import { ignore } from './breaker.ts'

/** So many characters of text and reasoning are kept while the turn still streams, and again each time there are twice as many. */
const firstKept = 1_000
/** What is shorter is kept after so many milliseconds, then after twice as many, and so on: few turns take that long. */
const firstWaitMs = 5_000

/** Keeps what has arrived of a turn that streams. */
export interface DraftKeeper {
  /** Gives what hears of the deltas of one attempt, besides the one that is told. What was kept of the one before is void. */
  attempt(tell: (delta: Delta) => void): (delta: Delta) => void
  /** Nothing is kept any more. To be called before the turn is told. */
  end(): void
}

/**
 * For one turn: keeps it as it grows, as time goes by, and when the place that the run lives in may be about to go away. It looks
 * at the clock when something arrives, since a timer for each turn costs more than the turn.
 */
export function keepDraft(run: RunContext): DraftKeeper {
  let [size, kept, nextSize, waitMs, nextAt] = [0, 0, 0, 0, 0]
  const begin = (): void => {
    ;[size, kept, nextSize, waitMs, nextAt] = [0, 0, firstKept, firstWaitMs, 0]
  }
  const keep = (): void => {
    const { draft } = run.state
    if (!draft || size === kept) return
    kept = size
    nextSize = Math.max(firstKept, 2 * size)
    run.emit({ type: 'drafted', text: draft.text, reasoning: draft.reasoning })
    run.durable()?.then(undefined, ignore)
  }
  const isDue = (): boolean => {
    const now = run.host.now()
    nextAt ||= now + waitMs
    if (now < nextAt) return size >= nextSize
    waitMs *= 2
    nextAt = now + waitMs
    return true
  }
  const stay = run.host.onLeave?.(keep)
  return {
    attempt(tell) {
      begin()
      if (run.state.drafted) run.emit({ type: 'drafted', text: '', reasoning: '' })
      return (delta) => {
        tell(delta)
        if (delta.kind !== 'input') size += delta.delta.length
        if (size > kept && isDue()) keep()
      }
    },
    end: () => stay?.(),
  }
}

/** A turn that its page did not live to finish, as far as it was kept. It is shown, and asked for again. */
export function interruptedTurn({ agent, state: { drafted } }: RunContext): EventBody | undefined {
  if (!drafted) return undefined
  const { text, reasoning } = drafted
  const [{ provider, modelId } = { provider: '', modelId: '' }] = agent.models
  return {
    type: 'thought',
    model: { provider, modelId },
    parts: [
      ...(reasoning ? [{ type: 'reasoning', text: reasoning } as const] : []),
      ...(text ? [{ type: 'text', text } as const] : []),
    ],
    usage: noUsage,
    ms: 0,
    heard: 0,
    error: {
      code: 'interrupted',
      message: 'The page or process went away before the turn was whole.',
      retryable: true,
    },
  }
}
