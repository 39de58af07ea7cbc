import { checkConfig, type Problem, parseConfig } from '@interleave/config'
import { demoPlanner } from '../models/demoPlanner/demoPlanner.ts'
import { toolRegistry } from './toolRegistry.ts'

/** Returns all mistakes of an agent's file, in the order of its lines. */
export function checkFile(file: string): readonly Problem[] {
  // Any model will do, because none is called.
  const problems = checkConfig(file, toolRegistry({ model: demoPlanner() }))
  if (problems.length > 0 || hasAgent(file)) return problems
  return [{ path: 'agents', message: 'The file declares no agent. Write one below `agents:`.' }]
}

const hasAgent = (file: string): boolean => Object.keys(parseConfig(file).agents).length > 0
