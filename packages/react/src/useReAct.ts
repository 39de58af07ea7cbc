import type { AgentHandle, Run } from '@interleave/core'
import { useMemo, useState } from 'react'
import type { Controls } from './createControls.ts'
import { storeOf } from './createRunStore.ts'
import { createTracker } from './createTracker.ts'
import type { Fields } from './fields.ts'
import { type UseReActOptions, useHeldRun } from './useHeldRun.ts'
import { useSelected } from './useSelected.ts'
import { useStableAgent } from './useStableAgent.ts'
import { useStandIn } from './useStandIn.ts'

export interface ReAct<Output = unknown> extends Fields<Output>, Controls<Output> {
  /** With `initialState`, one that shows it until the run itself is found. */
  readonly run: Run<Output> | undefined
  /** The run that `runId` names is being looked for. */
  readonly isAttaching: boolean
}

/**
 * Connects an agent to a component: starts runs, talks to them, and shows what they do. The component renders only for
 * the fields that it reads. Runs are independent of React: they survive renders, and continue when the component
 * unmounts.
 *
 * Another agent name, `run` or `runId` shows another run. Other options are read when they are used.
 *
 * @example
 * const { say, answer, isWorking } = useReAct(planner)
 * return <button disabled={isWorking} onClick={() => say('A weekend in Lisbon')}>{answer ?? 'Plan'}</button>
 */
export function useReAct<Output>(agent: AgentHandle<Output>, options: UseReActOptions<Output> = {}): ReAct<Output> {
  const { run: held, failure, isAttaching, controls } = useHeldRun(agent, options)
  const standIn = useStandIn(isAttaching || failure ? options.initialState : undefined, controls)
  const run = held ?? standIn
  const store = storeOf(run)
  const [tracker] = useState(() => createTracker(store.getInitialState()))
  const drawn = useSelected(store, { selector: tracker.look, isEqual: tracker.isEqual })
  useStableAgent(agent, drawn)
  // Another object for each state that is drawn: who compares or memoises by it sees what is new.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the fields are those of what is drawn.
  return useMemo(() => {
    const own = { run, isAttaching, ...controls, ...(failure && { error: failure }) }
    // The output of an answer has passed the agent's own schema.
    return Object.defineProperties(tracker.view(), Object.getOwnPropertyDescriptors(own)) as ReAct<Output>
  }, [tracker, run, drawn, failure, isAttaching, controls])
}
