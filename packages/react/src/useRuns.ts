import type { AgentHandle, Run } from '@interleave/core'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { useLatest } from './effects.ts'
import { attachRun, keepRun } from './pageRuns.ts'
import { type StartDefaults, type UserContent, useStartDefaults } from './ReActProvider.tsx'

/** Many runs of one agent, side by side. The functions never change. */
export interface Runs<Output = unknown> {
  /** In the order in which they came. The same array until one comes or goes. */
  readonly runs: readonly Run<Output>[]
  /** Starts one more. */
  readonly start: (input: UserContent) => Run<Output>
  /** Goes on with one of the journal, or gives the one that is here already. */
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
  const using = useLatest({ agent, options: { ...useStartDefaults(), ...options } })
  const [first, setFirst] = useState(() => ({ name: agent.name, list: runListOf(agent) }))
  // An agent that is made anew in each render is the same one by its name.
  const current = first.name === agent.name ? first : { name: agent.name, list: runListOf(agent) }
  if (current !== first) setFirst(current)
  const { list } = current
  useEffect(() => adopt(agent, list))

  const runs = useSyncExternalStore(list.subscribe, () => list.runs, none)
  return useMemo(
    () => ({
      runs,
      start: (input) => list.start(input, using.current),
      attach: (runId) => list.attach(runId, using.current),
      forget: list.forget,
    }),
    [runs, list, using],
  )
}

/** A server starts none. */
const none = (): readonly never[] => noRuns
const noRuns: readonly never[] = []

/** Runs of one agent, side by side. It lives as long as the agent does. */
interface RunList<Output> {
  readonly runs: readonly Run<Output>[]
  subscribe(changed: () => void): () => void
  start(input: UserContent, using: Using<Output>): Run<Output>
  attach(runId: string, using: Using<Output>): Promise<Run<Output>>
  forget(run: Run): void
}

/** By what runs are started: read when they are. */
interface Using<Output> {
  readonly agent: AgentHandle<Output>
  readonly options: StartDefaults
}

const lists = new WeakMap<AgentHandle, RunList<unknown>>()

/** The runs of an agent, always the same list. */
function runListOf<Output>(agent: AgentHandle<Output>): RunList<Output> {
  const known = lists.get(agent)
  // Only runs of this very agent are in it.
  if (known) return known as RunList<Output>
  const made = createRunList<Output>()
  adopt(agent, made)
  return made
}

/** Gives the runs of an agent to a new agent of the same name. */
const adopt = <Output>(agent: AgentHandle<Output>, list: RunList<Output>): void => {
  lists.set(agent, list as unknown as RunList<unknown>)
}

function createRunList<Output>(): RunList<Output> {
  const listeners = new Set<() => void>()
  const set = (runs: readonly Run<Output>[]): void => {
    list.runs = runs
    for (const changed of [...listeners]) changed()
  }
  const add = (run: Run<Output>): Run<Output> => {
    const others = list.runs.filter(({ id }) => id !== run.id)
    if (!list.runs.includes(run)) set([...others, run])
    return run
  }
  const list: { -readonly [Name in keyof RunList<Output>]: RunList<Output>[Name] } = {
    runs: [],
    subscribe(changed) {
      listeners.add(changed)
      return () => void listeners.delete(changed)
    },
    start(input, { agent, options }) {
      const run = agent.start(input, options)
      keepRun(run, options)
      return add(run)
    },
    attach: async (runId, { agent, options }) =>
      list.runs.find(({ id }) => id === runId) ?? add(await attachRun(agent, runId, options)),
    forget(run) {
      if (list.runs.some((other) => other === run)) set(list.runs.filter((other) => other !== run))
    },
  }
  return list
}
