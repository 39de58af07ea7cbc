import { messageFor, outcomeOfCall, outsideModel, Registry } from '@interleave/connect/internal'
import {
  type Agent,
  AgentError,
  agent,
  approval,
  declinable,
  type Json,
  link,
  localHost,
  type Run,
  type Schema,
  type ToolContext,
  tool,
} from '@interleave/core'
import { isObject, isOver, listedRuns, schemaBy } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import type { ToolSource } from '@interleave/core/tools'

/** The call that an app shows. */
export interface AppCall {
  /** The run that makes the call. */
  readonly run: Run
  /** The key of the call. */
  readonly key: string
}

/** The names of our own tools, which tools of servers do not have. */
export const ownTools = { link: 'ui_open_link', message: 'ui_message' } as const

/** A call that an app makes. */
export interface Requested {
  /** The name of the tool. */
  readonly name: string
  readonly input: Json
  /** The host of the app's server. */
  readonly from?: string | undefined
}

const mostUnfinished = 32

/**
 * The runs of an app's calls. Each call of an app is a run whose model is the app: it makes this one call, so
 * approvals, questions, claims and the log apply. It is a child of the run that shows the app, and its questions
 * survive a reload.
 */
export class AppRuns {
  readonly #tools: ToolSource
  readonly #journal: Journal | undefined
  /** The runs of this page that are not over, resumed ones too: a second object for a run would take over its log. */
  readonly #runs = new Registry<Run>()
  /** The calls whose apps are shown, by the id prefix of their runs. */
  readonly #calls = new Map<string, AppCall>()

  constructor(tools: ToolSource, journal: Journal | undefined) {
    this.#journal = journal
    this.#tools = tools
  }

  /** Creates the agent of a call. Questions name the agent, so its name is the host of the app's server. */
  #agent(name: string): Agent<string> {
    return agent({ name, model: outsideModel, tools: [this.#tools, this.#ownTools()] })
  }

  start({ run, key }: AppCall, { name, input, from }: Requested): Run {
    const depth = (run.state.parent?.depth ?? 0) + 1
    const started = this.#agent(from ? `an app of ${from}` : 'an app').start(messageFor(name, input), {
      id: `${idOf({ run, key })}/${localHost.newId()}`,
      parent: { runId: run.id, key, depth },
      ...(this.#journal && { journal: this.#journal }),
    })
    this.#runs.addItem(started.id, started)
    this.#removeWhenOver(started)
    return started
  }

  /** Registers a call for the tools of its runs. Returns a function that removes it. */
  register(call: AppCall): () => void {
    const id = idOf(call)
    this.#calls.set(id, call)
    return () => {
      if (this.#calls.get(id) === call) this.#calls.delete(id)
    }
  }

  /** Returns the runs of a call that are not over, and resumes those of an earlier page. */
  async unfinished(call: AppCall): Promise<readonly Run[]> {
    const journal = this.#journal
    const below = idOf(call)
    const here = this.#runs.items.filter(({ id, state }) => id.startsWith(`${below}/`) && !isOver(state.signal?.type))
    if (!journal) return here
    const listed = await listedRuns(journal, { below, limit: mostUnfinished })
    const open = listed.filter(({ signal }) => !isOver(signal))
    const resumed = open.map(({ runId, agent }) =>
      this.#runs.openItem(runId, () => this.#resume(runId, this.#agent(agent), journal)),
    )
    return [...new Set([...here, ...(await Promise.all(resumed))])]
  }

  async #resume(id: string, agent: Agent<string>, journal: Journal): Promise<Run> {
    const run = await agent.resume(id, { journal })
    this.#removeWhenOver(run)
    return run
  }

  #removeWhenOver(run: Run): void {
    const remove = (): void => void this.#runs.removeItem(run.id, run)
    void outcomeOfCall(run).then(() => this.#runs.leaveItem(run.id, remove))
  }

  #ownTools() {
    return {
      [ownTools.link]: tool({
        description: 'Sends the user to a page that the app names.',
        inputSchema: textSchema('url'),
        effect: 'idempotent',
        execute: async ({ url }, { ask }) => {
          const reply = await ask(declinable(link({ prompt: 'The app wants to open this page.', url })))
          if (reply !== 'done') throw new AgentError('tool_refused', 'The user did not open the page.')
          return 'Opened.'
        },
      }),
      [ownTools.message]: tool({
        description: 'Sends this message to the agent, as if the user had written it.',
        inputSchema: textSchema('text'),
        // The message has the key of the call.
        effect: 'idempotent',
        approve: approval({ remember: 'never' }),
        execute: async ({ text }, context) => {
          await this.#callOf(context).run.say(text, { key: context.idempotencyKey })
          return 'Sent.'
        },
      }),
    }
  }

  #callOf({ runId }: ToolContext): AppCall {
    const call = this.#calls.get(runId.slice(0, runId.lastIndexOf('/')))
    if (!call) throw new AgentError('tool_failed', 'The app is not shown any more, so its message cannot be delivered.')
    return call
  }
}

const textSchema = <Name extends string>(name: Name): Schema<Record<Name, string>> =>
  schemaBy(
    { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] },
    (value) => (isObject(value) && typeof value[name] === 'string' ? (value as Record<Name, string>) : undefined),
    `Give { ${name} }, a string.`,
  )

const idOf = ({ run, key }: AppCall): string => `${run.id}/${key}/app`
