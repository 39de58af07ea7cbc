import { pageAgent } from '@interleave/connect/worker'
import type { Agent } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { runSuiteAgents } from './run/suiteAgents.ts'
import type { OpenOptions, RunPlace } from './runPlace.ts'

export const agentOf = (name: string): Agent => runSuiteAgents().find((each) => each.name === name) as Agent

/** A page with one journal for all runs of its agents, each of which may be wrapped. */
export function inThePage(wrap = (agent: Agent): Agent => agent): RunPlace {
  const journal = memoryJournal()
  return {
    open(name, options: OpenOptions = {}) {
      const agent = wrap(agentOf(name))
      const kept = {
        name,
        start: (input, more) => agent.start(input, { journal, ...more }),
        resume: (id, more) => agent.resume(id, { journal, ...more }),
      } satisfies Parameters<typeof pageAgent>[0]
      return pageAgent(kept, options as never)
    },
    journal,
    differences: ['takesOver'],
  }
}
