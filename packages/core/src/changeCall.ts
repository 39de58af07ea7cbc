import type { Call } from './entry.ts'
import { lastOf, replaceLast } from './pages.ts'
import type { RunState } from './state.ts'

/** Replaces a call that is open. Those are only ever in the latest turn: the model is not asked again before each has its result. */
export function changeCall(state: { history: RunState['history'] }, key: string, update: (call: Call) => Call): void {
  const turn = lastOf(state.history)
  if (turn?.type !== 'turn') return
  const index = turn.calls.findIndex((call) => call.key === key)
  const call = turn.calls[index]
  if (call) state.history = replaceLast(state.history, { ...turn, calls: turn.calls.with(index, update(call)) })
}
