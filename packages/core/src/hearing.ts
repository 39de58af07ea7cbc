import type { RunContext } from './run.ts'
import type { RunState } from './state.ts'

/**
 * Returns the `seq` up to which messages may be in the next turn. Later user messages wait, and so does everything
 * after them.
 */
export const hearBefore = ({ state, plan: { hearBefore: planned = state.seq } }: RunContext): number =>
  state.pending.find(({ by, seq }) => by === 'user' && seq >= planned)?.seq ?? state.seq

/** Returns the state that a model may see, without messages that must wait, such as those that no guard has checked. */
export function hearable(run: RunContext): RunState {
  const { state } = run
  const before = hearBefore(run)
  return before === state.seq ? state : { ...state, pending: state.pending.filter(({ seq }) => seq < before) }
}
