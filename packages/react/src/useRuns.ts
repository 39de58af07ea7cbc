import type { AgentHandle, GivenContent, Run } from '@interleave/core'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { useLatest } from './effects.ts'
import { attachRun, keepRun } from './pageRuns.ts'
import { type StartDefaults, useStartDefaults } from './ReActProvider.tsx'

/** Several runs of one agent. The functions never change identity. */
export interface Runs<Output = unknown> {
  /** The runs in the order in which they were added. The same array until one is added or removed. */
  readonly runs: readonly Run<Output>[]
  /** Starts another run. */
  readonly start: (input: GivenContent) => Run<Output>
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

  const runs = useSyncExternalStore(list.subscribe, () => list.runs, noRuns)
  return useMemo(
    () => ({
      // Only runs of this agent are in its list.
      runs: runs as readonly Run<Output>[],
      start(input) {
        const { agent, options } = latest.current
        const run = agent.start(input, options)
        keepRun(run, options)
        list.add(run)
        return run
      },
      async attach(runId) {
        const { agent, options } = latest.current
        const run = list.find(runId) ?? (await attachRun(agent, runId, options))
        list.add(run)
        return run as Run<Output>
      },
      forget: (run) => list.remove(run),
    }),
    [runs, list, latest],
  )
}

/** The runs of a server render, which starts none. */
const noRuns = (): readonly Run[] => none
const none: readonly Run[] = []

/** The lists of runs. A list lives as long as its agent. */
const lists = new WeakMap<AgentHandle, RunList>()

class RunList {
  readonly #listeners = new Set<() => void>()
  #runs: readonly Run[] = []

  get runs(): readonly Run[] {
    return this.#runs
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  find(runId: string): Run | undefined {
    return this.#runs.find(({ id }) => id === runId)
  }

  /** Adds a run, in place of another object for the same run. */
  add(run: Run): void {
    if (!this.#runs.includes(run)) this.#set([...this.#runs.filter(({ id }) => id !== run.id), run])
  }

  remove(run: Run): void {
    if (this.#runs.includes(run)) this.#set(this.#runs.filter((other) => other !== run))
  }

  #set(runs: readonly Run[]): void {
    this.#runs = runs
    for (const listener of [...this.#listeners]) listener()
  }
}

function runListOf(agent: AgentHandle): RunList {
  const list = lists.get(agent) ?? new RunList()
  lists.set(agent, list)
  return list
}
