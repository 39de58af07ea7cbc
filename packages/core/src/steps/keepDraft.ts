import type { Delta, EventBody } from '../event.ts'
import type { RunContext } from '../run.ts'
import { noUsage } from '../usage.ts'
import { ignore } from './breaker.ts'

/** So many characters of text and reasoning are kept while the turn still streams, and again each time there are twice as many. */
const firstKept = 1_000

/** Keeps what has arrived of a long turn now and then. Made for each attempt: what was kept of the one before is void. */
export function keepDraft(run: RunContext, tell: (delta: Delta) => void): (delta: Delta) => void {
  let size = 0
  let next = firstKept
  if (run.state.drafted) run.emit({ type: 'drafted', text: '', reasoning: '' })
  return (delta) => {
    tell(delta)
    if (delta.kind === 'input') return
    size += delta.delta.length
    if (size < next) return
    const { draft } = run.state
    if (!draft) return
    next = 2 * size
    run.emit({ type: 'drafted', text: draft.text, reasoning: draft.reasoning })
    run.durable()?.then(undefined, ignore)
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
