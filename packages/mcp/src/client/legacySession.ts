import type { Json } from '@interleave/core'
import { isObject, messageOf } from '@interleave/core/internal'
import { drop, type Endpoint, send, statusError } from './exchange.ts'
import type { RequestInside } from './mcpServer.ts'
import { resultIn } from './modernEra.ts'
import { resumedMessages } from './resumed.ts'
import type { JsonObject, Message } from './rpc.ts'
import { SessionStream } from './sessionStream.ts'

interface Begun {
  readonly headers: Readonly<Record<string, string>>
  /** The features that the server offers. */
  readonly capabilities: Json | undefined
}

/** A session with a server of 2025. */
export class LegacySession {
  /** True if the server reports changes of its tools. */
  readonly reportsChanges: boolean
  /** The server's messages that belong to no response. */
  readonly stream: SessionStream
  readonly #to: Endpoint
  readonly #headers: Begun['headers']
  /** The open requests that can ask a user. All are of one run: see `LegacyEra`. */
  readonly #asking = new Set<RequestInside>()
  #nextId = 2

  constructor(to: Endpoint, { headers, capabilities }: Begun) {
    const tools = isObject(capabilities) ? capabilities.tools : undefined
    this.reportsChanges = isObject(tools) && tools.listChanged === true
    this.#to = to
    this.#headers = headers
    this.stream = new SessionStream({ to, headers, onMessage: (message) => this.#receive(message) })
  }

  /** True if the server gave the session an id, which it may forget. */
  get isNamed(): boolean {
    return this.#headers['mcp-session-id'] !== undefined
  }

  async request(method: string, params: JsonObject, options: RequestInside): Promise<JsonObject> {
    if (!options.onElicit) return this.#send(method, params, options)
    // The server may ask on the stream, and what it sends without one is lost.
    const release = await this.stream.open(options.signal)
    this.#asking.add(options)
    try {
      return await this.#send(method, params, options)
    } finally {
      this.#asking.delete(options)
      release()
    }
  }

  async #send(method: string, params: JsonObject, options: RequestInside): Promise<JsonObject> {
    const { signal, onProgress, meta: given, whileUserActs, whileRefused } = options
    const [to, headers, id] = [this.#to, this.#headers, this.#nextId++]
    const meta = (onProgress ?? given) && { _meta: { ...given, ...(onProgress && { progressToken: id }) } }
    const body = { jsonrpc: '2.0', id, method, params: { ...params, ...meta } }
    // In this era, aborting the connection does not cancel the request.
    const cancel = (): void => {
      const message = {
        method: 'notifications/cancelled',
        params: { requestId: id, reason: messageOf(signal?.reason) },
      }
      this.notify(message).catch(() => {})
    }
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      const response = await send(to, { body, headers, signal, whileUserActs, whileRefused })
      const onMessage = (message: Message): void => {
        options.onMessage?.(message)
        void this.#answer(message, options)
      }
      const read = (given: Response) => resumedMessages(given, { to, headers, signal, whileUserActs })
      return await resultIn(response, { to, id, ...options, onMessage, read })
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }

  /** Receives a message of the stream. The protocol does not say which request it is for: the latest may ask its user. */
  #receive(message: Message): void {
    void this.#answer(message, [...this.#asking].at(-1) ?? {})
  }

  /** Answers a request of the server. Its notifications have no id. */
  async #answer({ id, method, params = {} }: Message, { onElicit }: RequestInside): Promise<void> {
    if (id === undefined || id === null || method === undefined) return
    const reply = async (answer: JsonObject): Promise<void> => {
      await this.notify({ id, ...answer }).catch(() => {})
    }
    if (method === 'ping') return reply({ result: {} })
    const isElicitation = method === 'elicitation/create'
    if (!isElicitation) return reply({ error: { code: -32601, message: `This client has no method "${method}".` } })
    if (!onElicit) return reply({ error: { code: -32600, message: 'No call is open whose user could be asked.' } })
    try {
      return await reply({ result: await onElicit(params) })
    } catch (error) {
      return reply({ error: { code: -32603, message: messageOf(error) } })
    }
  }

  /** Sends a message that has no response. */
  async notify(message: JsonObject): Promise<void> {
    const headers = this.#headers
    const response = await send(this.#to, { body: { jsonrpc: '2.0', ...message }, headers, signal: undefined })
    drop(response)
    if (!response.ok) throw statusError(this.#to.url, response.status)
  }
}
