import type { Call } from './entry.ts'
import { lastOf, replaceLast } from './pages.ts'
import type { RunState } from './state.ts'

/** Open calls are only ever in the latest turn: the model is not asked again before each has its result. */
export function changeCall(
  state: Pick<RunState, 'history'>,
  key: string,
  update: (call: Call) => Call,
): Pick<RunState, 'history'> | undefined {
  const turn = lastOf(state.history)
  if (turn?.type !== 'turn') return undefined
  const index = turn.calls.findIndex((call) => call.key === key)
  const call = turn.calls[index]
  if (!call) return undefined
  return { history: replaceLast(state.history, { ...turn, calls: turn.calls.with(index, update(call)) }) }
}
