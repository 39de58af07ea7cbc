import type { Agent, Run } from '@interleave/core'
import type { ReactNode } from 'react'
import { SignalOutlet } from './outlet/SignalOutlet.tsx'
import { useAsk } from './useAsk.ts'
import { useAsks } from './useAsks.ts'
import { useDraft } from './useDraft.ts'
import { useLink } from './useLink.ts'
import { useMessages } from './useMessages.ts'
import { useOwner } from './useOwner.ts'
import { useReAct } from './useReAct.ts'
import { useRun } from './useRun.ts'
import { useRunEvent } from './useRunEvent.ts'
import { useRuns } from './useRuns.ts'
import { useScratchpad } from './useScratchpad.ts'
import { useSignal } from './useSignal.ts'
import { useStatus } from './useStatus.ts'
import { useUsage } from './useUsage.ts'

export interface EveryHookProps {
  readonly agent: Agent<string>
  readonly run: Run<string>
}

/** Renders the results of all hooks for a run as text, and its questions. For tests. */
export function EveryHook({ agent, run }: EveryHookProps): ReactNode {
  const react = useReAct(agent, { run })
  const { runs } = useRuns(agent)
  const { kind, open } = useAsk(run)
  useRunEvent(run, 'delta', () => {})
  const seq = useRun(run, (state) => state.seq)
  const shown = [
    [react.status, react.answer, react.asks.length, react.draft?.text, react.scratchpad.length, react.isWorking],
    [react.usage.total.outputTokens, react.signal?.type, react.state.seq, react.isAttaching],
    [
      useAsks(run).length,
      useDraft(run)?.text,
      useOwner(run),
      useLink(run)?.type,
      useScratchpad(run).length,
      useSignal(run)?.type,
    ],
    [useStatus(run).status, useUsage(run).total.outputTokens, runs.length, kind, open, seq],
    useMessages(run).map((message) => [message.type, 'text' in message && message.text]),
  ]
  return (
    <>
      <pre>{JSON.stringify(shown)}</pre>
      <SignalOutlet run={run} />
    </>
  )
}
