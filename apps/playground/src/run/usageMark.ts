import type { Run } from '@interleave/core'
import type { Mark } from '../shell/Marks.ts'

/** Returns the usage and the model of a run, so that the list can show them without reading its log. */
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
