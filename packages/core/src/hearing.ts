import type { RunContext } from './run.ts'
import type { RunState } from './state.ts'

/** The `seq` before which every message may be heard in the next turn. Later ones of the user wait, and what follows them. */
export const hearBefore = ({ state, plan: { hearBefore: planned = state.seq } }: RunContext): number =>
  state.pending.find(({ by, seq }) => by === 'user' && seq >= planned)?.seq ?? state.seq

/** The state as a model may be told of it: without messages that are to wait, such as those that no guard has seen yet. */
export function hearable(run: RunContext): RunState {
  const { state } = run
  const before = hearBefore(run)
  return before === state.seq ? state : { ...state, pending: state.pending.filter(({ seq }) => seq < before) }
}
