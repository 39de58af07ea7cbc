import type { Agent } from '@interleave/core'
import { type AgentOptions, agent } from '@interleave/core'
import { messageOf } from '@interleave/core/internal'
import { agentOptions } from './agentOptions.ts'
import { agentRef } from './agentRef.ts'
import { formatPath, type Path } from './problem.ts'
import { refsOf } from './refsOf.ts'
import type { Registry } from './registry.ts'
import { check, type Placed } from './toProblems.ts'

/** The result of loading a config's agents. */
export interface Loaded {
  readonly agents: Readonly<Record<string, Agent>>
  readonly problems: readonly Placed[]
}

/** Makes all agents of a config, each one once, and those that others refer to first. */
export function makeAgents(configs: Readonly<Record<string, unknown>>, registry: Registry): Loaded {
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

const placed = (at: Path, message: string): Placed => ({ at, path: formatPath(at), message })
