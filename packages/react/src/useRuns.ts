import type { AgentHandle, Run } from '@interleave/core'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { adopt, runListOf } from './createRunList.ts'
import { type StartDefaults, type UserContent, useStartDefaults } from './ReActProvider.tsx'
import { useLatest } from './useLatest.ts'

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
