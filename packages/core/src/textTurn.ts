import type { Turn } from './entry.ts'
import { AgentError } from './error.ts'
import { failed } from './failed.ts'
import { awaitsProvider, latestTurn } from './openCalls.ts'
import type { FailedSignal } from './signal.ts'
import type { RunState } from './state.ts'

/** The latest turn, where it is one of plain text: nothing was called, and nothing more is to come. */
export function textTurn(state: RunState): Turn | undefined {
  const turn = latestTurn(state)
  return !turn || turn.error || turn.calls.length > 0 || awaitsProvider(turn) ? undefined : turn
}

/** The end of a run whose provider withheld the answer. */
export function withheld({ finish }: Turn): FailedSignal | undefined {
  if (finish?.unified !== 'content-filter') return undefined
  return failed(new AgentError('model_filtered', "The provider's content filter withheld the answer."))
}
