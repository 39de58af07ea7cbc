import type { Ask, Run, RunState } from '@interleave/core'
import { openCalls } from '@interleave/core/observe'
import { type ReactNode, useCallback } from 'react'
import { useRun } from '../useRun.ts'
import { plain } from './plain.ts'

export interface OriginProps {
  readonly id: string
  readonly run: Run
  readonly ask: Ask
  /** How many questions are open. */
  readonly of: number
}

/** Who asks, so that a question of a tool is not taken for one of the app. */
export function Origin({ id, run, ask, of }: OriginProps): ReactNode {
  const select = useCallback(
    (state: RunState) => {
      const tool = openCalls(state).find(({ key }) => key === ask.call)?.name
      if (ask.from) return `${ask.from.agent}, working for ${state.agent}`
      return tool ? `${state.agent}, using ${tool}` : state.agent
    },
    [ask],
  )
  const asker = useRun(run, select)
  return (
    <p id={id} data-interleave="origin">
      Asked by {plain(asker)}
      {of > 1 && ` (1 of ${of})`}
    </p>
  )
}
