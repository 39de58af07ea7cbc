import type { AgentHandle, Run, RunState } from '@interleave/core'
import { stillRun } from '@interleave/core/observe'
import { useEffect, useMemo, useRef, useState } from 'react'
import { createTracker, type Fields } from './fields.ts'
import type { Controls } from './HeldRun.ts'
import { isDevelopment } from './isDevelopment.ts'
import { storeOf } from './RunStore.ts'
import { type UseReActOptions, useHeldRun } from './useHeldRun.ts'
import { useSelected } from './useRun.ts'

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

/**
 * A run that shows a state until the run itself is found, so that a server renders all of it. What is said or replied to it is
 * said to the run that is found.
 */
function useStandIn<Output>(
  state: RunState | undefined,
  { say, reply, stop, resume }: Controls<Output>,
): Run<Output> | undefined {
  // A state may be parsed again in each render: of one run, the same `seq` is the same state.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above.
  return useMemo(
    () => state && (Object.assign(stillRun(state), { say, reply, stop, resume }) as Run<Output>),
    [state?.runId, state?.seq, say, reply, stop, resume],
  )
}

const suspicious = 3

/**
 * Warns once, in development, if an agent is created in each render. Counts only renders that the run caused, since
 * those have no other reason for a new agent.
 */
function useStableAgent(agent: AgentHandle, drawn: RunState): void {
  const before = useRef({ agent, drawn, times: 0 })
  useEffect(() => {
    if (!isDevelopment()) return
    const last = before.current
    const isOther = agent !== last.agent
    const times = isOther && drawn !== last.drawn ? last.times + 1 : isOther ? last.times : 0
    before.current = { agent, drawn, times }
    if (times === suspicious && last.times < suspicious) warn(agent.name)
  })
}

function warn(name: string): void {
  console.warn(
    `useReAct() is given a new agent "${name}" in each render. Nothing is lost by it, but making one takes time: make it outside of the component, or in useMemo().`,
  )
}
