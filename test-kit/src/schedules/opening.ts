import type { Agent, Listener, Run } from '@interleave/core'
import { derivedAgent } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import type { Life } from './life.ts'

/** A run that its page opens in a server, or shares with other tabs. */
export interface Opening {
  readonly life: Life
  readonly agent: Agent
  readonly journal: Journal
  readonly observers: readonly Listener[]
  readonly onRun: (run: Run) => void
  readonly onFailure: (error: unknown) => void
}

/** Returns the agent with observers on each of its runs. */
export function observedAgent({ agent, observers, onRun }: Opening): Agent {
  const told = (run: Run): Run => {
    onRun(run)
    return run
  }
  const withObservers = <O extends { readonly observers?: readonly Listener[] }>(options: O | undefined) => ({
    ...options,
    observers: [...(options?.observers ?? []), ...observers],
  })
  const start: Agent['start'] = (input, options) => told(agent.start(input, withObservers(options)))
  const resume = async (...[from, options]: Parameters<Agent['resume']>): Promise<Run> =>
    told(await agent.resume(from, withObservers(options)))
  return derivedAgent(agent, { start, resume })
}
