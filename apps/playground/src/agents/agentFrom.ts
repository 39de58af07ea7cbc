import { loadAgents } from '@interleave/config'
import type { Agent } from '@interleave/core'
import { type Given, toolRegistry } from './toolRegistry.ts'

/** The agent that a file declares first; the others are there for it to call. Throws what is wrong with the file. */
export function agentFrom(file: string, given: Given): Agent {
  const [agent] = Object.values(loadAgents(file, toolRegistry(given)))
  if (!agent) throw new Error('The file declares no agent. Write one below `agents:`.')
  return agent
}
