import type { Run } from '@interleave/core'
import type { Mark } from '../shell/Marks.ts'

/** What a run has used, so that the list can say it without reading its log. */
export function usageMark({ state }: Pick<Run, 'state'>): Mark {
  const { inputTokens, outputTokens, cost, unpricedTurns } = state.usage
  return { tokens: inputTokens + outputTokens, cost: unpricedTurns === 0 ? cost : undefined }
}
