import type { Agent } from '@interleave/core'
import { AgentError } from '@interleave/core'
import type { Config } from './config.ts'
import { makeAgents } from './makeAgents.ts'
import { formatProblems, type Problem } from './problem.ts'
import { readConfig } from './readConfig.ts'
import type { Registry } from './registry.ts'

/**
 * Makes the agents of a config: YAML or JSON as text, or the data itself. Throws one `AgentError` that tells all mistakes, and
 * has them as a list in its `cause`.
 *
 * @example
 * const { planner } = loadAgents(await readFile('agents.yaml', 'utf8'), registry({ models: { fast }, tools: { search } }))
 */
export function loadAgents(source: string | object, registry: Registry): Readonly<Record<string, Agent>> {
  const { agents, config, problems } = load(source, registry)
  if (!config || problems.length > 0)
    throw new AgentError('config_invalid', formatProblems(problems), { cause: problems })
  for (const agent of Object.values(agents)) origins.set(agent, config)
  return agents
}

/** All mistakes of a config, without throwing: for editors and forms. */
export const checkConfig = (source: unknown, registry: Registry): readonly Problem[] => load(source, registry).problems

const origins = new WeakMap<Agent, Config>()

/** The whole config that an agent was loaded from, as a copy; undefined for an agent that was written in code. */
export const configOf = (agent: Agent): Config | undefined => structuredClone(origins.get(agent))

interface Loading {
  readonly agents: Readonly<Record<string, Agent>>
  readonly config?: Config
  readonly problems: readonly Problem[]
}

function load(source: unknown, registry: Registry): Loading {
  const { config, problems, locate } = readConfig(source)
  if (!config) return { agents: {}, problems }
  const made = makeAgents(config.agents, registry)
  return { agents: made.agents, config, problems: made.problems.map(locate).sort(byPlace) }
}

/** As one reads the text. Without places the order stays as it is. */
const byPlace = (a: Problem, b: Problem): number => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)
