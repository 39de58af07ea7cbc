import type { Run } from '@interleave/core'
import type { Mark } from '../shell/Marks.ts'

/** What a run has used and which model it had, so that the list can say it without reading its log. */
export function usageMark({ state }: Pick<Run, 'state'>): Mark {
  const { inputTokens, outputTokens, cost, unpricedTurns } = state.usage
  const latest = state.history.at(-1)?.findLast((entry) => entry.type === 'turn')
  return {
    tokens: inputTokens + outputTokens,
    cost: unpricedTurns === 0 ? cost : undefined,
    turns: state.iteration,
    model: latest?.model.modelId.slice(0, 80),
  }
}
