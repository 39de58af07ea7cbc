import type { BudgetName } from '../limit.ts'
import { latestTurn } from '../openCalls.ts'
import type { RunState } from '../state.ts'
import type { LimitReading } from './readLimits.ts'

/** Returns true if the next turn would be the last, assuming that it uses as much as the latest. */
export const isNear = (state: RunState, { limit, used, allowed }: LimitReading): boolean =>
  used + perTurn[limit](state) >= allowed

const perTurn: Readonly<Record<BudgetName, (state: RunState) => number>> = {
  iterations: () => 1,
  tokens: (state) => (turnOf(state)?.usage.inputTokens ?? 0) + (turnOf(state)?.usage.outputTokens ?? 0),
  cost: (state) => turnOf(state)?.usage.cost ?? 0,
  toolCalls: () => 0,
  ms: (state) => turnOf(state)?.ms ?? 0,
}

/** The latest turn, if it was on this request. */
function turnOf(state: RunState): ReturnType<typeof latestTurn> {
  const turn = latestTurn(state)
  return turn && turn.iteration > state.request.iteration ? turn : undefined
}
