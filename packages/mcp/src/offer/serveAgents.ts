import { type Agent, type Ask, isAgentError, type Json, type Run } from '@interleave/core'
import { assertOption, checkOptions, DEV, isObject, schemaBy } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import { acceptedReply, type Elicitation, elicitationOf } from './asElicitation.ts'

/** The state of a call that asks: its run and the run's last event, so that no two rounds have the same state. */
interface CallState {
  readonly run: string
  readonly at: number
}

/** The part of a request's context of `@modelcontextprotocol/server` that is used here. */
interface RequestContext {
  readonly mcpReq: {
    readonly _meta?: Readonly<Record<string, unknown>>
    readonly inputResponses?: Readonly<Record<string, unknown>>
    requestState<State>(): State | undefined
  }
}

/** The part of an `McpServer` of `@modelcontextprotocol/server` that is used here. */
export interface OfficialServer {
  registerTool(...args: readonly never[]): unknown
}

export interface OfferOptions {
  /** The agents by the name of their tool. The description tells the caller's model when to use it. */
  agents: Readonly<Record<string, { readonly agent: Agent; readonly description: string }>>
  /** Stores the runs, so that another process can continue them after a question. */
  journal: Journal
  /** Seals the state that a client sends back: `createRequestStateCodec({ key, bind })` of the library. */
  codec: { mint(state: CallState, context?: RequestContext): Promise<string> }
  /** Runs `work` in the trace that the `_meta` of a request names; `within` of `@interleave/otel` does. */
  trace?: <T>(meta: Readonly<Record<string, unknown>>, work: () => T) => T
}

/** A result of a tool in the form of the library. */
type Answer =
  | { readonly content: { readonly type: 'text'; readonly text: string }[]; readonly isError?: boolean }
  | {
      readonly resultType: 'input_required'
      readonly inputRequests: Readonly<Record<string, Elicitation>>
      readonly requestState: string
    }

/**
 * Offers agents as tools of an MCP server of the official library. Each takes a `task`. Questions of a run are asked of
 * the caller's user, and any process with the journal continues the run with the answers. Give the server the same
 * codec: `requestState: { verify: codec.verify }`.
 *
 * @example
 * serveAgents(server, { agents: { guide: { agent: guide, description: 'Plans trips.' } }, journal, codec })
 */
export function serveAgents(server: OfficialServer, options: OfferOptions): void {
  checkOptions('serveAgents()', options, ['agents', 'journal', 'codec', 'trace'])
  const { agents, journal, codec, trace } = options
  assertOption(journal, DEV && 'serveAgents() needs a `journal`, with which a run continues after a question.')
  assertOption(
    codec,
    DEV && 'serveAgents() needs a `codec`: createRequestStateCodec({ key }) of @modelcontextprotocol/server.',
  )
  const inputSchema = taskSchema()
  const register = server.registerTool.bind(server) as (name: string, config: object, call: Handler) => unknown
  for (const [name, { agent, description }] of Object.entries(agents)) {
    const answer: Handler = async ({ task }, context) => {
      const state = context.mcpReq.requestState<CallState>()
      const run = state ? await agent.resume(state.run, { journal }) : agent.start(task, { journal })
      if (state) await replyAll(run, context.mcpReq.inputResponses ?? {})
      return answerOf(run, (sealed) => codec.mint(sealed, context))
    }
    const traced: Handler = (input, context) => {
      const { _meta: meta = {} } = context.mcpReq
      return trace ? trace(meta, () => answer(input, context)) : answer(input, context)
    }
    register(name, { description, inputSchema }, traced)
  }
}

type Handler = (input: { readonly task: string }, context: RequestContext) => Promise<Answer>

/** Passes the answers to the run. A question with an invalid answer stays open, and is asked again. */
async function replyAll(run: Run, responses: Readonly<Record<string, unknown>>): Promise<void> {
  for (const ask of run.state.asks) {
    const response = Object.hasOwn(responses, ask.id) ? responses[ask.id] : undefined
    if (!isObject(response)) continue
    const { action } = response
    if (action === 'decline' || action === 'cancel')
      await decline(run, ask, action === 'cancel' ? 'cancelled' : 'declined')
    if (action !== 'accept') continue
    const value = acceptedReply(ask, isObject(response.content) ? response.content : {})
    await run.reply(ask.id, value).catch((error: unknown) => {
      const isLate = isAgentError(error) && (error.code === 'reply_invalid' || error.code === 'ask_unknown')
      if (!isLate) throw error
    })
  }
}

/** Declines the question for the user if it can be declined. Otherwise stops the run. */
async function decline(run: Run, ask: Ask, $reply: 'declined' | 'cancelled'): Promise<void> {
  if (ask.declinable) return run.reply(ask.id, { $reply })
  if (ask.kind === 'approval') return run.reply(ask.id, { approved: false, reason: `The user has ${$reply} it.` })
  return run.stop(`The user has ${$reply} to answer.`)
}

async function answerOf(run: Run, seal: (state: CallState) => Promise<string>): Promise<Answer> {
  const signal = await run.settled
  switch (signal.type) {
    case 'answer':
      return textResult(textOf(signal.output as Json))
    case 'inputNeeded':
    case 'limitReached': {
      const inputRequests: Record<string, Elicitation> = {}
      for (const ask of run.state.asks) inputRequests[ask.id] = elicitationOf(ask)
      return {
        resultType: 'input_required',
        inputRequests,
        requestState: await seal({ run: run.id, at: run.state.seq }),
      }
    }
    case 'failed':
      return { ...textResult(signal.error.message), isError: true }
    case 'stopped':
      return { ...textResult(`The agent was stopped: ${signal.reason}`), isError: true }
  }
}

const textResult = (text: string) => ({ content: [{ type: 'text' as const, text }] })
const textOf = (output: Json): string => (typeof output === 'string' ? output : JSON.stringify(output))

const longestTask = 100_000

const taskSchema = () =>
  schemaBy(
    {
      type: 'object',
      properties: { task: { type: 'string', description: 'What to do, in whole sentences.' } },
      required: ['task'],
    },
    (value) => {
      const task = isObject(value) ? value.task : undefined
      return typeof task === 'string' && task.trim() !== '' && task.length <= longestTask ? { task } : undefined
    },
    `Give { task }, a string of at most ${longestTask} characters.`,
  )
