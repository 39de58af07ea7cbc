import type { WhileUserActs } from './auth.ts'
import type { JsonObject, Message } from './rpc.ts'
import type { McpTool } from './toolList.ts'

/** The part of a progress notification that tools show. */
export interface McpProgress {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined
  /** The tool call of a run that the request is for. */
  readonly idempotencyKey?: string | undefined
  /** The run that the request is for. A server of 2025 has a session of its own for each run that calls it at a time. */
  readonly runId?: string | undefined
  readonly onProgress?: ((progress: McpProgress) => void) | undefined
  /** Does what waits for a user who has to sign in, whose time does not count. */
  readonly whileUserActs?: WhileUserActs | undefined
  /** Does what a request needs that the server has refused before it did anything. */
  readonly whileRefused?: WhileUserActs | undefined
  /** Answers a question that a server of 2025 asks while the request is open. */
  readonly onElicit?: ((params: JsonObject) => PromiseLike<JsonObject>) | undefined
}

/** The headers and the `_meta` of a request, besides those that every request has. */
export interface RequestInside extends RequestOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly meta?: Readonly<Record<string, string>>
  /** Receives the server's other messages in the response: notifications, and requests of 2025. */
  readonly onMessage?: (message: Message) => void
}

/** The parameters of a call. The last two answer a result whose `resultType` is `input_required`. */
export interface CallParams {
  readonly name: string
  readonly arguments: JsonObject
  readonly inputResponses?: Readonly<Record<string, JsonObject>>
  readonly requestState?: string
}

/** An MCP server, as `mcpTools` uses it. */
export interface McpServer {
  /** The server's host, which questions and results name. */
  readonly host: string
  /** True if a request may wait for a user who has to sign in. */
  readonly mayAskUser?: boolean
  listTools(options?: RequestOptions): PromiseLike<readonly McpTool[]>
  callTool(params: CallParams, options?: RequestOptions): PromiseLike<JsonObject>
  /** Sends a request of another method. Apps are read with it. */
  request?(method: string, params?: JsonObject, options?: RequestOptions): PromiseLike<JsonObject>
  /** Listens for changes of its list, so that `listTools()` has them. Returns a function that ends this. */
  followTools?(): () => void
}
