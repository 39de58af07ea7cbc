import { awake } from '../change.ts'
import { readExtensionReply } from '../question.ts'
import { isOwnLimit, type LimitName } from '../signal.ts'
import type { Changes, EventOf, Next, RunState } from '../state.ts'

/** The changes of limits: the question at a limit, and the reply that extends it for this request. */
export const limitChanges: Changes = {
  asked(state, { ask }) {
    if (isOwnLimit(ask)) state.asks = [...state.asks, ask]
  },
  replied: extendOrFinish,
  /** A new request has the limits as they were. */
  said(state, { seq }) {
    if (state.request.seq !== seq) return
    withoutLimits(state)
    state.extensions = {}
  },
  /** A run with its answer needs none of the limit questions that it asked beforehand. */
  settled(state, { signal }) {
    if (signal.type === 'stopped' || signal.type === 'answer') withoutLimits(state)
  },
}

function withoutLimits(state: Next): void {
  if (state.asks.some(isOwnLimit)) state.asks = state.asks.filter((ask) => !isOwnLimit(ask))
}

function extendOrFinish(state: Next, { ask: id, value, at }: EventOf<'replied'>): void {
  const ask = state.asks.find((open) => open.id === id)
  if (!ask || !isOwnLimit(ask)) return
  state.asks = state.asks.filter((open) => open !== ask)
  awake(state, at)
  const reply = readExtensionReply(value)
  if (!reply) return
  if ('extend' in reply) state.extensions = extend(state, ask.limit as LimitName, reply.extend)
  else if (ask.finish) state.request = { ...state.request, finish: true }
}

const extend = ({ extensions }: RunState, limit: LimitName, by: number): RunState['extensions'] => ({
  ...extensions,
  [limit]: (extensions[limit] ?? 0) + by,
})
