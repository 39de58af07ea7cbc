import type { Ask, Run, RunState } from '@interleave/core'
import { openCalls } from '@interleave/core/steps'
import { type ReactNode, useCallback } from 'react'
import { UntrustedText } from '../untrusted/UntrustedText.tsx'
import { useRun } from '../useRun.ts'

export interface OriginProps {
  readonly id: string
  readonly run: Run
  readonly ask: Ask
}

/** Names the asking agent and tool, so that users do not mistake a tool's question for the app's. */
export function Origin({ id, run, ask }: OriginProps): ReactNode {
  const select = useCallback((state: RunState) => askerOf(state, ask), [ask])
  const asker = useRun(run, select)
  return (
    <p id={id} data-interleave="origin" title={ask.from && `Run ${ask.from.runId}`}>
      Asked by <UntrustedText limit={200}>{asker}</UntrustedText>
    </p>
  )
}

/** The agent, the tool that asks, and for whom it works. */
export function askerOf(state: RunState, ask: Ask): string {
  if (ask.from) return `${ask.from.agent}, working for ${state.agent}`
  const tool = openCalls(state).find(({ key }) => key === ask.call)?.name
  return tool ? `${state.agent}, using ${tool}` : state.agent
}
