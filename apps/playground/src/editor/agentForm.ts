import { type AgentConfig, type Config, editConfig, type Named, parseConfig } from '@interleave/config'
import { isRecord } from '../parts/objects.ts'

/** The agent that a file declares first, as far as a form can show it. */
export interface FormAgent {
  readonly name: string
  readonly config: AgentConfig
}

/** The first agent of a file; undefined if the file cannot be read. */
export function readAgent(text: string): FormAgent | undefined {
  try {
    const [entry] = Object.entries(parseConfig(text).agents)
    return entry && typeof entry[1] === 'object' ? { name: entry[0], config: entry[1] } : undefined
  } catch {
    return undefined
  }
}

/** The file with its first agent changed. Comments, order and style of the unchanged parts stay. */
export function changeAgent(text: string, change: AgentChange): string {
  const config: Config = parseConfig(text)
  const [entry] = Object.entries(config.agents)
  if (!entry) return text
  const [name, agent] = entry
  return editConfig(text, { ...config, agents: { ...config.agents, [name]: plain(change(agent)) as AgentConfig } })
}

/** A change of an agent's fields. Fields that become undefined are omitted. */
export type AgentChange = (agent: AgentConfig) => { [Field in keyof AgentConfig]: AgentConfig[Field] | undefined }

/** The names of its tools. */
export const toolsOf = ({ tools = [] }: AgentConfig): readonly string[] =>
  Array.isArray(tools) ? tools : Object.keys(tools)

export function withTool(agent: AgentConfig, tool: string, isOn: boolean): AgentConfig {
  const { tools = [] } = agent
  if (Array.isArray(tools)) {
    const others = tools.filter((name) => name !== tool)
    return { ...agent, tools: isOn ? [...others, tool] : others }
  }
  const { [tool]: _, ...others } = tools as Readonly<Record<string, Named>>
  return { ...agent, tools: isOn ? { ...others, [tool]: tool } : others }
}

/** The options of `reasonAct`. An agent with another backend has none. */
export type ReasonActConfig = Readonly<Record<string, unknown>>

export function reasonActOf({ backend = 'reasonAct' }: AgentConfig): ReasonActConfig | undefined {
  if (backend === 'reasonAct') return {}
  const options = typeof backend === 'object' && Object.keys(backend).length === 1 ? backend.reasonAct : undefined
  return isRecord(options) ? options : undefined
}

export function withReasonAct(agent: AgentConfig, change: ReasonActConfig): AgentConfig {
  const options = plain({ ...reasonActOf(agent), ...change })
  const { backend: _, ...others } = agent
  return Object.keys(options).length === 0 ? others : { ...others, backend: { reasonAct: options } as Named }
}

export type Numbers = Readonly<Record<string, number>>

const budgets = ['iterations', 'toolCalls', 'tokens', 'cost', 'ms']

/** The limits of a run, as numbers; undefined if the file sets them by a step. */
export function budgetsOf({ limits = {} }: ReasonActConfig): Numbers | undefined {
  return isRecord(limits) && Object.keys(limits).every((key) => budgets.includes(key)) ? (limits as Numbers) : undefined
}

/** The settings of the model; undefined if the file has its own step to think. */
export function samplingOf({ think = {} }: ReasonActConfig): Numbers | undefined {
  if (!isRecord(think)) return undefined
  const { settings = {} } = think
  return isRecord(settings) ? (settings as Numbers) : undefined
}

/** The options with other settings of the model, and all else as it is. */
export const withSampling = ({ think }: ReasonActConfig, settings: Numbers): ReasonActConfig => ({
  think: plain({ ...(isRecord(think) && think), settings }),
})

/** Omits empty members. */
const plain = <T extends object>(value: T): T =>
  Object.fromEntries(
    Object.entries(value).filter(
      ([, field]) => field !== undefined && !(isRecord(field) && Object.keys(field).length === 0),
    ),
  ) as T
