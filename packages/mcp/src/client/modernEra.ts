import { AgentError, type Json } from '@interleave/core'
import { isObject } from '@interleave/core/internal'
import { amount, maybe, shapeOf, text } from '@interleave/core/shapes'
import { CutOff, drop, type Endpoint, lostStatuses, messagesOf, readText, send, statusError } from './exchange.ts'
import { headerValue, nameOf } from './headers.ts'
import type { McpProgress, RequestInside } from './mcpServer.ts'
import { type JsonObject, type Message, RpcError, readMessage } from './rpc.ts'
import { appType } from './toolList.ts'

const modernVersion = '2026-07-28'
export const clientInfo = { name: 'interleave', version: '1' } as const

/** Returns the capabilities of this client. */
export const capabilitiesOf = (showsApps: boolean): JsonObject => ({
  elicitation: { form: {}, url: {} },
  ...(showsApps && { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [appType] } } }),
})

const unsupportedVersion = -32022
const prefix = 'io.modelcontextprotocol/'

/** Speaks 2026-07-28, in which each request is independent. */
export class ModernEra {
  readonly #to: Endpoint
  #nextId = 1

  constructor(to: Endpoint) {
    this.#to = to
  }

  async request(method: string, params: JsonObject, options: RequestInside): Promise<JsonObject> {
    try {
      return await this.#send(method, params, options)
    } catch (error) {
      // The server supports this version, and rejects the request itself.
      if (!(error instanceof RpcError) || error.rpcCode !== unsupportedVersion || !offers(error.data)) throw error
      return this.#send(method, params, options)
    }
  }

  async #send(method: string, params: JsonObject, options: RequestInside): Promise<JsonObject> {
    const id = this.#nextId++
    const name = nameOf(method, params)
    const meta = {
      ...options.meta,
      [`${prefix}protocolVersion`]: modernVersion,
      [`${prefix}clientInfo`]: clientInfo,
      [`${prefix}clientCapabilities`]: this.#to.capabilities,
      ...(options.onProgress && { progressToken: id }),
    }
    const response = await send(this.#to, {
      body: { jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } },
      headers: {
        'mcp-protocol-version': modernVersion,
        'mcp-method': method,
        ...(name !== undefined && { 'mcp-name': headerValue(name) }),
        ...options.headers,
      },
      signal: options.signal,
      whileUserActs: options.whileUserActs,
      whileRefused: options.whileRefused,
    })
    return resultIn(response, { to: this.#to, id, ...options })
  }
}

const offers = (data: Json | undefined): boolean =>
  isObject(data) && Array.isArray(data.supported) && data.supported.includes(modernVersion)

interface Reading extends RequestInside {
  readonly to: Endpoint
  readonly id: number
  /** Yields the messages of the response. */
  readonly read?: (response: Response) => AsyncIterable<Message>
}

/** Reads the result of a request from its response. */
export async function resultIn(response: Response, { to, id, ...options }: Reading): Promise<JsonObject> {
  const { signal, read = (given) => messagesOf(given, signal) } = options
  try {
    if (!response.ok) throw await refusalIn(response, to, signal)
    for await (const message of read(response)) {
      if (message.method === 'notifications/progress') reportProgress(message.params, { id, ...options })
      else if (message.method !== undefined) options.onMessage?.(message)
      else if (message.id === id) return resultOf(message)
    }
  } catch (error) {
    // An aborted request always rejects with the reason of the abort.
    signal?.throwIfAborted()
    throw isRefused(error, response) ? error : new CutOff(error, to.url)
  } finally {
    if (!response.bodyUsed) drop(response)
  }
  throw new CutOff(undefined, to.url)
}

/** Returns true if the server itself reports that a request failed, or was not executed. */
const isRefused = (error: unknown, { ok, status }: Response): boolean =>
  error instanceof RpcError || (error instanceof AgentError && !ok && !lostStatuses.includes(status))

function resultOf({ result, error }: Message): JsonObject {
  if (error) throw new RpcError(error)
  if (!result) throw new AgentError('remote_failed', 'The MCP server sent an answer without a result.')
  return result
}

/** Creates the error of a response with an HTTP status other than 200. Its body may be an error of the protocol. */
async function refusalIn(response: Response, { url }: Endpoint, signal: AbortSignal | undefined): Promise<AgentError> {
  const body = await readText(response, signal).catch(() => '')
  try {
    const { error } = readMessage(body)
    if (error) return new RpcError(error, response.status)
  } catch {}
  return statusError(url, response.status, body)
}

const progress = shapeOf({ progress: amount, total: maybe(amount), message: maybe(text) })
const isProgress = (params: unknown): params is McpProgress => progress(params) === undefined

function reportProgress(params: JsonObject = {}, { id, onProgress }: Pick<Reading, 'id' | 'onProgress'>): void {
  if (params.progressToken !== id || !isProgress(params)) return
  const { progress: done, total, message } = params
  onProgress?.({ progress: done, ...(total !== undefined && { total }), ...(message !== undefined && { message }) })
}
