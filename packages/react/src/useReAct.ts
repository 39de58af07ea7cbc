import type { AgentHandle, Run, RunState, ToolSet } from '@interleave/core'
import { assertOption, type ConnectionState, DEV } from '@interleave/core/internal'
import { staticRun } from '@interleave/core/observe'
import { useEffect, useInsertionEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useLatest } from './effects.ts'
import { type Fields, FieldTracker } from './fields.ts'
import { type Controls, HeldRun, type HeldView, initiallyShown, isSameRequest, type RunRequest } from './HeldRun.ts'
import { isDevelopment } from './isDevelopment.ts'
import { type StartDefaults, useStartDefaults } from './ReActProvider.tsx'
import { type RunStore, storeOf } from './RunStore.ts'
import { useSelected } from './useRun.ts'

/** The options of `useReAct`. They are read when they are used, so inline objects are fine. */
export interface UseReActOptions<Output = unknown> extends StartDefaults {
  /** A run that was started elsewhere. */
  readonly run?: Run<Output> | undefined
  /** The id of a run in the journal to resume. */
  readonly runId?: string | undefined
  /** The state to show until that run is loaded, as the rendering server read it, or as its framework sent it. */
  readonly initialState?: RunState | SentState | undefined
  /**
   * The effect of removing the component: the run continues unseen (`detach`, the default), or stops. A component
   * hidden by `<Activity>` or by suspending is not removed.
   */
  readonly onUnmount?: 'detach' | 'stop'
}

/**
 * The state of a run as a framework sends it from a loader: the type of each framework says in its own way that a value
 * went over the network.
 */
export interface SentState {
  readonly runId?: string | undefined
  readonly seq: number
  readonly history: readonly unknown[]
  readonly asks: readonly unknown[]
}

export interface ReAct<Output = unknown, Tools extends ToolSet = ToolSet>
  extends Fields<Output, Tools>,
    Controls<Output, Tools> {
  /** The run. With `initialState`, one that shows it until the run itself is loaded. */
  readonly run: Run<Output, Tools> | undefined
  /** True while the run of `runId` is being loaded. */
  readonly isAttaching: boolean
  /** The connection to the run's server, as `useConnection` returns it; undefined for a run without one. */
  readonly connection: ConnectionState | undefined
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
  const [{ run: loaded, failure, refusal, isAttaching }, held] = useHeldRun(agent, options)
  const standIn = useStandIn(isAttaching || failure ? options.initialState : undefined, held)
  const run = loaded ?? standIn
  const problem = failure ?? refusal
  const store = storeOf(run)
  const [tracker] = useState(() => new FieldTracker(store.getInitialState(), () => held.agent))
  const drawn = useSelected(store, tracker)
  const connection = useReadConnection(store, tracker)
  useAgentWarning(agent, drawn)
  // A new object for each state that is drawn, so that comparing or memoising by it works.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the fields are those of what is drawn.
  return useMemo(() => {
    const { start, say, reply, revoke, stop, resume, reset } = held
    const own = {
      run,
      isAttaching,
      start,
      say,
      reply,
      revoke,
      stop,
      resume,
      reset,
      get connection() {
        tracker.readsConnection = true
        return connection ?? store.connection
      },
      ...(problem && { error: problem }),
    }
    // The output of an answer has passed the agent's own schema.
    return Object.defineProperties(tracker.fields(), Object.getOwnPropertyDescriptors(own)) as ReAct<Output, Tools>
  }, [tracker, run, store, drawn, connection, problem, isAttaching, held])
}

/** Returns the run that a component shows, and the object that loads and controls it. */
function useHeldRun<Output>(
  agent: AgentHandle<Output>,
  options: UseReActOptions<Output>,
): readonly [HeldView<Output>, HeldRun<Output>] {
  const { run: given, runId, initialState: _, onUnmount = 'detach', ...own } = options
  const startOptions = { ...useStartDefaults(), ...own }
  const request: RunRequest<Output> = { agent: agent.name, run: given, runId: given ? undefined : runId }
  const [shown, setShown] = useState(() => initiallyShown(request))
  const [held] = useState(() => new HeldRun({ agent, options: startOptions, shown }, setShown))
  const current = isSameRequest(shown.request, request) ? shown : initiallyShown(request)
  if (current !== shown) setShown(current)

  // Before the effects of children, which may call the controls.
  useInsertionEffect(() => {
    held.agent = agent
    held.options = startOptions
    if (!isSameRequest(held.shown.request, request)) held.switchTo(request)
  })
  // A journal may be opened later. A different journal object is no reason to load again: an app may create one in each
  // render.
  const hasJournal = startOptions.journal !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads again if another run is requested, or becomes available.
  useEffect(() => {
    const { isAttaching, failure } = held.shown
    return isAttaching || failure ? held.attach() : undefined
  }, [held, agent.name, given, runId, hasJournal])
  useRemoval(() => {
    if (onUnmount === 'stop') held.abandon()
  })
  return [current, held]
}

/** Calls back when the component is removed, and not if it is only hidden or restarts under StrictMode. */
function useRemoval(callback: () => void): void {
  const latest = useLatest(callback)
  const isMounted = useRef(false)
  useInsertionEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
      queueMicrotask(() => {
        if (!isMounted.current) latest.current()
      })
    }
  }, [latest])
}

/** Returns the connection of the run if the component reads it, so that others do not render for it. */
function useReadConnection(store: RunStore, tracker: FieldTracker): ConnectionState | undefined {
  return useSyncExternalStore(
    store.subscribe,
    () => (tracker.readsConnection ? store.connection : undefined),
    () => undefined,
  )
}

/** Returns a run that shows a state until the run itself is loaded, so that a server renders it. */
function useStandIn<Output>(state: RunState | SentState | undefined, held: HeldRun<Output>): Run<Output> | undefined {
  // An app may parse the state in each render; the same `seq` of a run means the same state.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above.
  return useMemo(() => {
    const { say, reply, revoke, stop, resume } = held
    const isState = !state || (state.runId !== undefined && Array.isArray(state.history) && Array.isArray(state.asks))
    assertOption(isState, DEV && 'The initialState of useReAct() must be the state of a run: `run.state`, or its JSON.')
    // The state is of a run of this agent, as JSON.
    return state && (Object.assign(staticRun(state as RunState), { say, reply, revoke, stop, resume }) as Run<Output>)
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
