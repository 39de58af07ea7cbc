import type { AgentHandle, Run } from '@interleave/core'
import { attachRun, keepRun } from './attachRun.ts'
import type { StartDefaults, UserContent } from './ReActProvider.tsx'

/** Runs of one agent, side by side. It lives as long as the agent does. */
export interface RunList<Output> {
  readonly runs: readonly Run<Output>[]
  subscribe(changed: () => void): () => void
  start(input: UserContent, using: Using<Output>): Run<Output>
  attach(runId: string, using: Using<Output>): Promise<Run<Output>>
  forget(run: Run): void
}

/** By what runs are started: read when they are. */
export interface Using<Output> {
  readonly agent: AgentHandle<Output>
  readonly options: StartDefaults
}

const lists = new WeakMap<AgentHandle, RunList<unknown>>()

/** The runs of an agent, always the same list. */
export function runListOf<Output>(agent: AgentHandle<Output>): RunList<Output> {
  const known = lists.get(agent)
  // Only runs of this very agent are in it.
  if (known) return known as RunList<Output>
  const made = createRunList<Output>()
  adopt(agent, made)
  return made
}

/** Gives the runs of an agent to a new agent of the same name. */
export const adopt = <Output>(agent: AgentHandle<Output>, list: RunList<Output>): void => {
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
