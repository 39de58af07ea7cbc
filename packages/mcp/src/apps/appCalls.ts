import { type OutsideOutcome, outcomeOfCall } from '@interleave/connect/internal'
import type { Json, Run } from '@interleave/core'
import { isObject, linkAddress, reportLater } from '@interleave/core/internal'
import type { McpServer } from '../client/mcpServer.ts'
import type { JsonObject } from '../client/rpc.ts'
import { AppProblem, problems } from './appChannel.ts'
import { type AppCall, type AppRuns, ownTools } from './appRuns.ts'

interface Requested {
  /** The server of the app. */
  readonly server: McpServer | undefined
  readonly signal: AbortSignal
}

/** Returns the name, for the runs of apps, of a tool that apps of a server may call. */
export type Callable = (server: McpServer, name: string) => Promise<string | undefined>

export interface AppCallsOptions {
  readonly runs: AppRuns
  readonly callable: Callable
  /** The call that the app shows. Without it, the app's requests are refused. */
  readonly call: AppCall | undefined
  /** Called when a different run, or none, has an open question. */
  readonly onAsking: (run: Run | undefined) => void
}

const withoutRun = 'This app is shown without its run, so its requests are refused.'
const isShort = (text: unknown): text is string => typeof text === 'string' && text.length <= 2_000

/** The maximum number of concurrent runs of one app. */
const mostRuns = 16
/** The number of refusals by the user after which a shown app's calls are refused. */
const mostRefusals = 5

/** The requests of one app. */
export class AppCalls {
  readonly #options: AppCallsOptions
  /** The runs that are not over. */
  readonly #runs = new Set<Run>()
  #asking: Run | undefined
  #refusals = 0

  constructor(options: AppCallsOptions) {
    this.#options = options
  }

  async answer(method: string, params: JsonObject, requested: Requested): Promise<JsonObject> {
    switch (method) {
      case 'ping':
        return {}
      case 'ui/request-display-mode':
        return { mode: 'inline' }
      case 'tools/call':
        return this.#callTool(params, requested)
      case 'resources/list':
      case 'resources/read':
        return this.#readResources(method, params, requested)
      case 'ui/open-link':
        return this.#openLink(params, requested)
      case 'ui/message':
        return this.#sendMessage(params, requested)
      default:
        throw new AppProblem(problems.unknownMethod, `This host has no method "${method}".`)
    }
  }

  async #callTool({ name, arguments: input = {} }: JsonObject, { server, signal }: Requested): Promise<JsonObject> {
    if (typeof name !== 'string' || !isObject(input)) {
      throw invalid('A call needs the `name` of a tool, and an object as its `arguments`.')
    }
    const tool = server && (await this.#options.callable(server, name))
    if (tool === undefined) throw refused(`Apps may not call a tool "${name}" here.`)
    return resultOf(await this.#runCall(tool, input, { server, signal }))
  }

  /** Forwards a request for resources of the app's server. Reading changes nothing, so the user is not asked. */
  async #readResources(method: string, params: JsonObject, { server, signal }: Requested): Promise<JsonObject> {
    if (!this.#options.call) throw refused(withoutRun)
    if (!server?.request) throw refused('The client of this server has no `request()`.')
    const { uri, cursor } = params
    if (method === 'resources/list') return server.request(method, isShort(cursor) ? { cursor } : {}, { signal })
    if (!isShort(uri)) throw invalid('To read a resource, give its `uri`, of 2,000 characters at most.')
    return server.request(method, { uri }, { signal })
  }

  async #openLink({ url }: JsonObject, requested: Requested): Promise<JsonObject> {
    const address = typeof url === 'string' ? linkAddress(url) : undefined
    if (!address) throw refused('A link must be a whole address with https: and without a password.')
    return emptyOr(await this.#runCall(ownTools.link, { url: address.href }, requested))
  }

  async #sendMessage({ role, content }: JsonObject, requested: Requested): Promise<JsonObject> {
    const parts = Array.isArray(content) ? content : [content]
    const text = parts.flatMap((part) => (isObject(part) && typeof part.text === 'string' ? part.text : [])).join('\n')
    if (role !== 'user' || text.trim() === '')
      throw invalid('A message needs the `role` "user", and text as its `content`.')
    return emptyOr(await this.#runCall(ownTools.message, { text }, requested))
  }

  /** Makes a call as a run, and waits until it is over. */
  async #runCall(name: string, input: JsonObject, { server, signal }: Requested): Promise<OutsideOutcome> {
    const { call, runs } = this.#options
    if (!call) throw refused(withoutRun)
    if (this.#refusals >= mostRefusals)
      throw refused('The user has refused too many calls. Calls are possible again when the app is reopened.')
    if (this.#runs.size >= mostRuns) throw refused(`${mostRuns} calls are running. Try again later.`)
    signal.throwIfAborted()
    const run = runs.start(call, { name, input: input as Json, from: server?.host })
    this.followRun(run)
    const outcome = await outcomeOfCall(run, signal)
    if ('error' in outcome && outcome.error.code === 'tool_refused') this.#countRefusal()
    return outcome
  }

  /** Counts a refusal, since an app must not keep the user busy with questions. */
  #countRefusal(): void {
    this.#refusals++
    if (this.#refusals < mostRefusals) return
    for (const run of this.#runs) void run.stop('The user has refused too many calls.').catch(reportLater)
  }

  /** Shows the questions of a run until it is over. Returns false if they are shown already. */
  followRun(run: Run): boolean {
    if (this.#runs.has(run)) return false
    this.#runs.add(run)
    const leave = run.subscribe(() => this.#updateAsking())
    this.#updateAsking()
    void outcomeOfCall(run).then(() => {
      leave()
      this.#runs.delete(run)
      this.#updateAsking()
    })
    return true
  }

  #updateAsking(): void {
    const asking = [...this.#runs].find(({ state }) => state.asks.length > 0)
    if (asking === this.#asking) return
    this.#asking = asking
    this.#options.onAsking(asking)
  }
}

const refused = (words: string): AppProblem => new AppProblem(problems.refused, words)
const invalid = (words: string): AppProblem => new AppProblem(problems.invalidParams, words)

function emptyOr(outcome: OutsideOutcome): JsonObject {
  if ('error' in outcome) throw refused(outcome.error.message || 'The user refused it.')
  return {}
}

const textPart = (text: string): JsonObject => ({ type: 'text', text })

/** Converts the logged output of a call to an MCP result. */
export function appResult(output: Json): JsonObject {
  if (typeof output === 'string') return { content: [textPart(output)] }
  if (isObject(output)) return { content: [textPart(JSON.stringify(output))], structuredContent: output }
  const texts = Array.isArray(output) ? output.filter(isObject).filter(({ type }) => type === 'text') : []
  return { content: texts }
}

/** Converts the error of a call to an MCP result. */
export const errorResult = (message: string): JsonObject => ({ content: [textPart(message)], isError: true })

/** Converts the outcome of an app's call to an MCP result. */
const resultOf = (outcome: OutsideOutcome): JsonObject =>
  'error' in outcome
    ? errorResult(
        outcome.error.code === 'tool_refused'
          ? `The user refused it. ${outcome.error.message}`.trim()
          : outcome.error.message,
      )
    : appResult(outcome.output)
