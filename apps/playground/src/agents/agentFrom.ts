import { loadAgents } from '@interleave/config'
import type { Agent } from '@interleave/core'
import { type Given, toolRegistry } from './toolRegistry.ts'

/** Returns the first agent of a file, which may call the others. Throws if the file is invalid. */
export function agentFrom(file: string, given: Given): Agent {
  const [agent] = Object.values(loadAgents(file, toolRegistry(given)))
  if (!agent) throw new Error('The file declares no agent. Write one below `agents:`.')
  return agent
}
