import { AgentError } from '@interleave/core'
import type { Config } from './config.ts'
import { formatProblems } from './problem.ts'
import { readConfig } from './readConfig.ts'

/**
 * Reads a config without making its agents, to show or to change it. Says what is wrong with the text; whether its names and
 * options are right is found out by `loadAgents` and `checkConfig`, which have the registry.
 */
export function parseConfig(text: string): Config {
  const { config, problems } = readConfig(text)
  if (!config) throw new AgentError('config_invalid', formatProblems(problems), { cause: problems })
  return config
}
