import type { Ask } from '../question.ts'
import type { RunContext } from '../run.ts'
import type { LimitReachedSignal } from '../signal.ts'
import { keys, type Place } from './place.ts'
import type { Wiring } from './wiring.ts'

interface Limited {
  readonly run: RunContext
  readonly wiring: Wiring
}

/** Rests before a visit beyond the limit. The rest holds a question: the reply allows more visits, or ends the run. */
export function visitLimit({ run, wiring }: Limited, place: Place): LimitReachedSignal | undefined {
  const allowed = wiring.visits + (run.state.extensions.visits ?? 0)
  const used = place.visit - 1 - place.before
  if (used < allowed) return undefined
  const id = `${run.state.request.seq}/limit/${keys.graph(wiring.name)}/${allowed}`
  const prompt = `The graph "${wiring.name}" has made ${used} visits, and "${place.node}" is next. Go on?`
  const ask: Ask = { kind: 'extension', prompt, limit: 'visits', used, allowed, suggested: wiring.visits, id }
  if (!run.state.asks.some((open) => open.id === id)) run.emit({ type: 'asked', ask })
  return { type: 'limitReached', limit: 'visits', used, allowed, ask }
}
