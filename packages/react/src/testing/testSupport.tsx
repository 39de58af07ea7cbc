import { type Agent, agent, type Run, type TypedQuestion, tool } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import type { ReactNode } from 'react'
import { z } from 'zod'
import type { Frame } from '../frames.ts'
import { SignalOutlet } from '../outlet/SignalOutlet.tsx'
import { useAsks, useDraft, useMessages, useScratchpad, useSignal, useStatus, useUsage } from '../selections.ts'
import { useAsk } from '../useAsk.ts'
import { useReAct } from '../useReAct.ts'
import { useConnection, useOwner, useRun, useRunEvent } from '../useRun.ts'
import { useRuns } from '../useRuns.ts'

/** Creates an agent that asks all questions at once and then answers "Done.". */
export function askingAgent(...questions: readonly TypedQuestion<unknown>[]): Agent<string> {
  const ask = tool({
    inputSchema: z.object({ index: z.number() }),
    execute: async ({ index }, context) => {
      const question = questions[index]
      return question && (await context.ask(question))
    },
  })
  const calls = questions.map((_, index) => ({ name: 'ask', input: { index } }))
  return agent({ name: 'asker', model: scriptedModel({ calls }, 'Done.'), tools: { ask } })
}

/** Creates frames that a test triggers. */
export function manualFrames(): { readonly frame: Frame; readonly next: () => void; readonly awaited: number } {
  const awaited = new Set<() => void>()
  return {
    frame(callback) {
      awaited.add(callback)
      return () => awaited.delete(callback)
    },
    next() {
      for (const callback of [...awaited]) {
        awaited.delete(callback)
        callback()
      }
    },
    get awaited() {
      return awaited.size
    },
  }
}

interface EveryHookProps {
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
      useConnection(run)?.type,
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
