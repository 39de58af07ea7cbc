import type { Delta, EventBody } from '../event.ts'
import type { RunContext } from '../run.ts'
import { noUsage } from '../usage.ts'
import { ignore } from './breaker.ts'

/** So many characters of text and reasoning are kept while the turn still streams, and again each time there are twice as many. */
const firstKept = 1_000
/** The delay of the first draft; it doubles each time. Few turns take that long. */
const firstWaitMs = 5_000

/** Keeps what has arrived of a turn that streams. */
export interface DraftKeeper {
  /**
   * Creates the receiver of one attempt's deltas, besides the given one. Discards the draft of the previous attempt.
   */
  attempt(tell: (delta: Delta) => void): (delta: Delta) => void
  /** Stops writing drafts. Call it before the turn is emitted. */
  end(): void
}

/**
 * Writes drafts of one turn: as it grows, over time, and when the host may disappear. Checks the clock when something
 * arrives, because a timer per turn costs more than the turn.
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
