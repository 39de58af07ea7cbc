import { type Agent, AgentError, type AgentOptions, agent } from '@interleave/core'
import { messageOf } from '@interleave/core/internal'
import { z } from 'zod'
import type { Config } from './config.ts'
import { agentOptions } from './configSchema.ts'
import { nameIn, refsOf } from './named.ts'
import { check, formatProblems, type Placed, type Problem, placed, reportedElsewhere } from './problem.ts'
import { readConfig } from './readConfig.ts'
import { checkRegistry, type Registry } from './registry.ts'

/**
 * Makes the agents of a config: YAML or JSON as text, or the data itself. Throws one `AgentError` that lists all mistakes, also
 * in its `cause`.
 *
 * @example
 * const { planner } = loadAgents(await readFile('agents.yaml', 'utf8'), registry({ models: { fast }, tools: { search } }))
 */
export function loadAgents(source: string | object, registry: Registry): Readonly<Record<string, Agent>> {
  const { agents, config, problems } = load(source, registry, 'loadAgents()')
  if (!config || problems.length > 0)
    throw new AgentError('config_invalid', formatProblems(problems), { cause: problems })
  for (const agent of Object.values(agents)) origins.set(agent, config)
  return agents
}

/** Returns all mistakes of a config instead of throwing, for editors and forms. */
export const checkConfig = (source: unknown, registry: Registry): readonly Problem[] =>
  load(source, registry, 'checkConfig()').problems

const origins = new WeakMap<Agent, Config>()

/** Returns a copy of the config that an agent was loaded from; undefined for an agent that was written in code. */
export const configOf = (agent: Agent): Config | undefined => structuredClone(origins.get(agent))

interface Loading {
  readonly agents: Readonly<Record<string, Agent>>
  readonly config?: Config
  readonly problems: readonly Problem[]
}

function load(source: unknown, registry: Registry, owner: string): Loading {
  checkRegistry(registry, owner)
  const { config, problems, locate } = readConfig(source)
  if (!config) return { agents: {}, problems }
  const made = makeAgents(config.agents, registry)
  return { agents: made.agents, config, problems: made.problems.map(locate).sort(byPosition) }
}

/** Compares problems by their position in the text. Without positions the order stays. */
const byPosition = (a: Problem, b: Problem): number =>
  (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)

/** Makes all agents of a config, each once, in the order of their references. */
function makeAgents(
  configs: Readonly<Record<string, unknown>>,
  registry: Registry,
): { agents: Loading['agents']; problems: readonly Placed[] } {
  const problems: Placed[] = []
  const made = new Map<string, Agent | undefined>()
  const making: string[] = []
  const agentOf = (name: string): Agent | undefined => {
    if (!Object.hasOwn(configs, name)) return Object.hasOwn(registry.agents, name) ? registry.agents[name] : undefined
    if (made.has(name)) return made.get(name)
    making.push(name)
    const result = makeAgent(name, schema, configs[name])
    making.pop()
    problems.push(...result.problems)
    made.set(name, result.agent)
    return result.agent
  }
  const names = [...Object.keys(configs), ...Object.keys(registry.agents)]
  const schema = agentOptions(refsOf(registry, agentRef({ names, making, agentOf })))
  const entries = Object.keys(configs).map((name) => [name, agentOf(name)] as const)
  return { agents: Object.fromEntries(entries.filter(isMade)), problems: [...taken(configs, registry), ...problems] }
}

const isMade = (entry: readonly [string, Agent | undefined]): entry is readonly [string, Agent] =>
  entry[1] !== undefined

type Schema = ReturnType<typeof agentOptions>

function makeAgent(name: string, schema: Schema, config: unknown): { agent?: Agent; problems: readonly Placed[] } {
  const at = ['agents', name]
  const { value, problems } = check(schema, config, at)
  if (!value) return { problems }
  if (!value.model && !value.backend?.ownModel) {
    return { problems: [placed([...at, 'model'], 'This is missing. Give the name of a model, or a list of them.')] }
  }
  try {
    return { agent: agent({ ...value, name } as AgentOptions<unknown>), problems }
  } catch (error) {
    return { problems: [placed(at, messageOf(error))] }
  }
}

function taken(configs: object, { agents }: Registry): Placed[] {
  const twice = Object.keys(configs).filter((name) => Object.hasOwn(agents, name))
  return twice.map((name) => placed(['agents', name], 'The registry has an agent of this name. Choose another one.'))
}

interface AgentRefs {
  readonly names: readonly string[]
  /** The agents that wait for the ones they refer to, outermost first. */
  readonly making: readonly string[]
  /** Creates the agent if necessary; undefined if it has mistakes, which are reported there. */
  agentOf(name: string): Agent | undefined
}

/** The maximum length of a chain of agents, far beyond what works: agents may call each other four levels deep. */
const maxChain = 50

/** Creates a schema for the name of an agent. Its output is the agent. */
function agentRef({ names, making, agentOf }: AgentRefs): z.ZodType<Agent> {
  const refused = (name: string): string | undefined => {
    if (making.includes(name)) {
      const ring = [...making.slice(making.indexOf(name)), name].join(' → ')
      return `Agents cannot refer to each other in a ring: ${ring}.`
    }
    return making.length < maxChain ? undefined : `More than ${maxChain} agents refer to each other in a row.`
  }
  return nameIn({ from: 'agents', hasOwn: true }, names).transform((name, { issues }) => {
    const message = refused(name)
    const found = message === undefined ? agentOf(name) : undefined
    if (found) return found
    issues.push({ code: 'custom', message: message ?? '', input: name, ...(!message && { params: reportedElsewhere }) })
    return z.NEVER
  })
}
