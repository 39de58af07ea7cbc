import type { AgentHandle, Run, RunState, ToolSet } from '@interleave/core'
import { assertOption, type RemoteLink } from '@interleave/core/internal'
import { stillRun } from '@interleave/core/observe'
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { type Fields, FieldTracker } from './fields.ts'
import type { Controls, HeldRun } from './HeldRun.ts'
import { isDevelopment } from './isDevelopment.ts'
import { type RunStore, storeOf } from './RunStore.ts'
import { type UseReActOptions, useHeldRun } from './useHeldRun.ts'
import { useSelected } from './useRun.ts'

export interface ReAct<Output = unknown, Tools extends ToolSet = ToolSet>
  extends Fields<Output>,
    Controls<Output, Tools> {
  /** The run. With `initialState`, one that shows it until the run itself is loaded. */
  readonly run: Run<Output, Tools> | undefined
  /** True while the run of `runId` is being loaded. */
  readonly isAttaching: boolean
  /** The connection to the run's server, as `useLink` returns it; undefined for a run without one. */
  readonly link: RemoteLink | undefined
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
export function useReAct<Output, Tools extends ToolSet = ToolSet>(
  agent: AgentHandle<Output, Tools>,
  options: UseReActOptions<Output> = {},
): ReAct<Output, Tools> {
  const [{ run: loaded, failure, isAttaching }, held] = useHeldRun(agent, options)
  const standIn = useStandIn(isAttaching || failure ? options.initialState : undefined, held)
  const run = loaded ?? standIn
  const store = storeOf(run)
  const [tracker] = useState(() => new FieldTracker(store.initialState, () => held.agent))
  const drawn = useSelected(store, tracker)
  const link = useReadLink(store, tracker)
  useAgentWarning(agent, drawn)
  // A new object for each state that is drawn, so that comparing or memoising by it works.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the fields are those of what is drawn.
  return useMemo(() => {
    const { start, say, reply, disallow, stop, resume, reset } = held
    const own = {
      run,
      isAttaching,
      start,
      say,
      reply,
      disallow,
      stop,
      resume,
      reset,
      ...(failure && { error: failure }),
    }
    // The output of an answer has passed the agent's own schema.
    const react = Object.defineProperties(tracker.fields(), Object.getOwnPropertyDescriptors(own))
    return Object.defineProperty(react, 'link', {
      get: () => {
        tracker.readsLink = true
        return link ?? store.link
      },
      enumerable: true,
    }) as ReAct<Output, Tools>
  }, [tracker, run, store, drawn, link, failure, isAttaching, held])
}

/** Returns the link of the run if the component reads it, so that others do not render for it. */
function useReadLink(store: RunStore, tracker: FieldTracker): RemoteLink | undefined {
  return useSyncExternalStore(
    store.subscribe,
    () => (tracker.readsLink ? store.link : undefined),
    () => undefined,
  )
}

/** Returns a run that shows a state until the run itself is loaded, so that a server renders it. */
function useStandIn<Output>(state: RunState | undefined, held: HeldRun<Output>): Run<Output> | undefined {
  // A state may be parsed in each render: of one run, the same `seq` is the same state.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above.
  return useMemo(() => {
    const { say, reply, disallow, stop, resume } = held
    const isState = !state || (state.runId !== undefined && Array.isArray(state.history) && Array.isArray(state.asks))
    assertOption(isState, 'The initialState of useReAct() must be the state of a run: `run.state`, or its JSON.')
    // The state is of a run of this agent.
    return state && (Object.assign(stillRun(state), { say, reply, disallow, stop, resume }) as Run<Output>)
  }, [state?.runId, state?.seq, held])
}

const rendersUntilWarning = 3

/** Warns once, in development, if an agent is created in each render. Counts only renders that the run caused. */
function useAgentWarning(agent: AgentHandle, drawn: RunState): void {
  const before = useRef({ agent, drawn, times: 0 })
  useEffect(() => {
    if (!isDevelopment()) return
    const last = before.current
    const isOther = agent !== last.agent
    const times = isOther && drawn !== last.drawn ? last.times + 1 : isOther ? last.times : 0
    before.current = { agent, drawn, times }
    if (times !== rendersUntilWarning || last.times >= rendersUntilWarning) return
    console.warn(
      `useReAct() gets a new agent "${agent.name}" in each render. Nothing is lost, but creating an agent takes time: create it outside of the component, or in useMemo().`,
    )
  })
}
