import { type Agent, agent } from '@interleave/core'
import { derivedAgent, noteOf } from '@interleave/core/internal'
import type { Stage } from './stage.ts'
import { absentModel, toolOf } from './toolOfLog.ts'

type Tools = Agent['tools']
type LiveTools = NonNullable<Agent['live']>
type RunContext = Parameters<LiveTools['enter']>[0]

/**
 * Returns an agent whose sources of tools, such as MCP servers, are not read: its tools are those of the log, by the names
 * that each turn had, and ask for the approvals that the log has.
 */
export function withoutSources(given: Agent, stage: Stage): Agent {
  const { live } = given
  if (stage.readsSources || !live || live instanceof RecordedSources) return given
  return derivedAgent(given, { live: new RecordedSources(stage, live.own), tools: live.own }) as Agent
}

/** The tools of an agent's sources, as the log has them. */
export class RecordedSources implements LiveTools {
  readonly own: Tools
  readonly tools: Tools
  readonly #stage: Stage
  readonly #specs = new Map<string, Tools[string]>()
  /** The tools by their names: the same object for all turns, as long as nothing changes. */
  readonly #sets = new Map<string, Tools>()

  constructor(stage: Stage, own: Tools) {
    this.own = own
    this.tools = own
    this.#stage = stage
  }

  /** Repeats the notes about the tools that the log has here. */
  async enter(run: RunContext): Promise<RunContext> {
    const { recording, length } = this.#stage
    const keys = [`tools/${run.agent.name}`, `missing/${run.agent.name}`]
    for (let at = length(); ; at = length()) {
      const next = recording.events[at]
      if (next?.type !== 'noted' || next.call !== undefined || !keys.includes(next.key)) break
      run.emit({ type: 'noted', key: next.key, value: next.value })
      if (length() === at) break
    }
    return run.with({ agent: derivedAgent(run.agent, { tools: this.#toolsOf(run) }) as Agent })
  }

  /** A change has its questions in the log. */
  async unlessSame(): Promise<undefined> {
    return undefined
  }

  async promptFor(_: RunContext, __: unknown, prompt: string): Promise<string> {
    return prompt
  }

  #toolsOf({ state, agent: { name } }: RunContext): Tools {
    const noted: unknown = noteOf(state, `tools/${name}`)
    const names = Array.isArray(noted) ? noted.map(([each]) => String(each)).filter((each) => !this.own[each]) : []
    const key = names.join(' ')
    const known = this.#sets.get(key)
    if (known) return known
    const found = names.map((each) => [each, this.#spec(each)] as const)
    const tools: Tools = Object.freeze({ ...this.own, ...Object.fromEntries(found) })
    this.#sets.set(key, tools)
    return tools
  }

  #spec(name: string): Tools[string] {
    const { recording, until } = this.#stage
    const known = this.#specs.get(name)
    if (known) return known
    const tools = { [name]: toolOf(recording, name, until) }
    const spec = agent({ name, model: absentModel(recording), tools }).tools[name]
    if (!spec) throw new Error(`The log has no tool "${name}".`)
    this.#specs.set(name, spec)
    return spec
  }
}
