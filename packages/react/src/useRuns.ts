import type { AgentHandle, Run, UserContent } from '@interleave/core'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { useLatest } from './effects.ts'
import { attachRun, registerRun } from './pageRuns.ts'
import { type StartDefaults, useStartDefaults } from './ReActProvider.tsx'
import { noteStarted } from './voice/startedRuns.ts'

/** Several runs of one agent. The functions never change identity. */
export interface Runs<Output = unknown> {
  /** The runs in the order in which they were added. The same array until one is added or removed. */
  readonly runs: readonly Run<Output>[]
  /** Starts another run. */
  readonly start: (input: UserContent) => Run<Output>
  /** Adds a run of the journal and resumes it, unless it is in this page already. Rejects if it cannot be loaded. */
  readonly attach: (runId: string) => Promise<Run<Output>>
  /** Removes a run from the list. It continues unseen, unless it is stopped. */
  readonly forget: (run: Run) => void
}

/**
 * Returns the runs of an agent in this page. They belong to the agent, outside of React, so a component that mounts
 * later shows them again. The component renders when a run is added or removed; use `useRun`, `useMessages` and others
 * for changes inside a run.
 *
 * @example
 * const { runs, start } = useRuns(planner)
 * return runs.map((run) => <Trip key={run.id} run={run} />)
 */
export function useRuns<Output>(agent: AgentHandle<Output>, options: StartDefaults = {}): Runs<Output> {
  const latest = useLatest({ agent, options: { ...useStartDefaults(), ...options } })
  const [first, setFirst] = useState(() => ({ name: agent.name, list: runListOf(agent) }))
  // An agent that is created in each render is the same one by its name.
  const current = first.name === agent.name ? first : { name: agent.name, list: runListOf(agent) }
  if (current !== first) setFirst(current)
  const { list } = current
  useEffect(() => void lists.set(agent, list))

  const runs = useSyncExternalStore(list.subscribe, list.getState, list.getInitialState)
  return useMemo(() => {
    const add = (run: Run): void => list.setState((runs) => withRun(runs, run), true)
    return {
      // Only runs of this agent are in its list.
      runs: runs as readonly Run<Output>[],
      start(input) {
        const { agent, options } = latest.current
        const run = agent.start(input, options)
        noteStarted(run)
        registerRun(run, options)
        add(run)
        return run
      },
      async attach(runId) {
        const { agent, options } = latest.current
        const listed = list.getState().find(({ id }) => id === runId) as Run<Output> | undefined
        const run = listed ?? (await attachRun(agent, runId, options))
        add(run)
        return run
      },
      forget: (run) =>
        list.setState((runs) => (runs.includes(run) ? runs.filter((other) => other !== run) : runs), true),
    }
  }, [runs, list, latest])
}

/** Adds a run to a list, in place of another object for the same run. */
const withRun = (runs: readonly Run[], run: Run): readonly Run[] =>
  runs.includes(run) ? runs : [...runs.filter(({ id }) => id !== run.id), run]

/** The lists of runs. A list lives as long as its agent. */
const lists = new WeakMap<AgentHandle, StoreApi<readonly Run[]>>()

function runListOf(agent: AgentHandle): StoreApi<readonly Run[]> {
  const list = lists.get(agent) ?? createStore<readonly Run[]>(() => [])
  lists.set(agent, list)
  return list
}
