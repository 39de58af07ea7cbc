import { configSchema } from '@interleave/config'
import type { Agent } from '@interleave/core'
import { agentFrom } from '../agents/agentFrom.ts'
import { toolRegistry } from '../agents/toolRegistry.ts'
import { demoPlanner } from '../models/demoPlanner/demoPlanner.ts'
import { knownNames } from './knownNames.ts'

export type KnownTool = Agent['tools'][string]

/** The tools that an agent of this page may have by their bare names, as its runs have them. */
export function knownTools(): readonly KnownTool[] {
  const model = demoPlanner()
  const names = knownNames(configSchema(toolRegistry({ model }))).find(({ title }) => title === 'Tools')?.names ?? []
  return names.flatMap(({ name }) => {
    try {
      const file = JSON.stringify({ interleave: 1, agents: { one: { model: 'chosen', tools: [name] } } })
      return agentFrom(file, { model }).tools[name] ?? []
    } catch {
      // It takes options, which are written in the file.
      return []
    }
  })
}
