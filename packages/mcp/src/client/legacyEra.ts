import { until } from '@interleave/connect/internal'
import { AgentError, type Json } from '@interleave/core'
import { isObject, messageOf } from '@interleave/core/internal'
import { drop, type Endpoint, isStream, messagesOf, send, statusError } from './exchange.ts'
import { acknowledged } from './listedTools.ts'
import type { RequestInside } from './mcpServer.ts'
import { clientInfo, resultIn } from './modernEra.ts'
import type { JsonObject, Message } from './rpc.ts'

/** The versions that this client speaks, the newest first. */
const legacyVersions: readonly Json[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
const [legacyVersion] = legacyVersions
/** The time limit for starting a session. */
const sessionMs = 30_000

/** The server speaks the protocol of 2025, but no session with it can be started. */
export class NoSession extends AgentError {}

interface Session {
  readonly headers: Readonly<Record<string, string>>
  /** True if the server reports changes of its tools. */
  readonly reportsChanges: boolean
}

/** Speaks the protocol of 2025: a session, and questions of the server inside of an open call. */
export class LegacyEra {
  readonly #to: Endpoint
  #session: Promise<Session> | undefined
  #nextId = 1

  constructor(to: Endpoint) {
    this.#to = to
  }

  async request(method: string, params: JsonObject, options: RequestInside): Promise<JsonObject> {
    const session = await until(this.open(), { signal: options.signal })
    try {
      return await this.#send(session, method, params, options)
    } catch (error) {
      // The server has forgotten the session, for example because it restarted. It has not executed the request.
      const isForgotten = error instanceof AgentError && error.status === 404 && this.#isIn(session)
      if (!isForgotten) throw error
      this.#session = undefined
      return this.#send(await this.open(), method, params, options)
    }
  }

  /** Starts a session, or returns the existing one. */
  open(): Promise<Session> {
    this.#session ??= until((signal) => this.#initialize(signal), {
      ms: sessionMs,
      onTimeout: () => tooSlow(this.#to),
      host: this.#to.renewals,
    }).catch((error) => {
      this.#session = undefined
      throw error
    })
    return this.#session
  }

  async #initialize(signal: AbortSignal): Promise<Session> {
    const id = this.#nextId++
    const params = { protocolVersion: legacyVersion, capabilities: this.#to.capabilities, clientInfo }
    const body = { jsonrpc: '2.0', id, method: 'initialize', params }
    const response = await send(this.#to, { body, headers: {}, signal })
    const sessionId = response.headers.get('mcp-session-id')
    const { protocolVersion, capabilities: offered } = await resultIn(response, { to: this.#to, id, signal })
    if (typeof protocolVersion !== 'string' || !legacyVersions.includes(protocolVersion))
      throw unknownVersion(this.#to, protocolVersion)
    const headers = {
      'mcp-protocol-version': protocolVersion,
      ...(sessionId !== null && { 'mcp-session-id': sessionId }),
    }
    const tools = isObject(offered) ? offered.tools : undefined
    const session = { headers, reportsChanges: isObject(tools) && tools.listChanged === true }
    await this.#notify(session, { method: 'notifications/initialized' })
    return session
  }

  /** Opens the stream of notifications. Rejects with the status 405 if the server has none. */
  async listen(signal: AbortSignal, onMessage: (message: Message) => void): Promise<void> {
    const session = await this.open()
    if (!session.reportsChanges) throw statusError(this.#to.url, 405)
    const response = await send(this.#to, { headers: session.headers, signal })
    if (response.status === 404 && this.#isIn(session)) this.#session = undefined
    else if (response.status !== 200 || !isStream(response)) {
      drop(response)
      throw statusError(this.#to.url, response.ok ? 405 : response.status)
    } else {
      onMessage({ method: acknowledged })
      for await (const message of messagesOf(response, signal)) onMessage(message)
    }
  }

  #isIn = (session: Session): boolean => session.headers['mcp-session-id'] !== undefined

  async #send(session: Session, method: string, params: JsonObject, options: RequestInside): Promise<JsonObject> {
    const { signal, onProgress, meta: given, whileUserActs } = options
    const id = this.#nextId++
    const meta = (onProgress ?? given) && { _meta: { ...given, ...(onProgress && { progressToken: id }) } }
    const body = { jsonrpc: '2.0', id, method, params: { ...params, ...meta } }
    // In this era, aborting the connection does not cancel the request.
    const cancel = (): void => {
      const message = {
        method: 'notifications/cancelled',
        params: { requestId: id, reason: messageOf(signal?.reason) },
      }
      this.#notify(session, message).catch(() => {})
    }
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      const response = await send(this.#to, { body, headers: session.headers, signal, whileUserActs })
      const onMessage = (message: Message): void => void this.#answer(session, message, options).catch(() => {})
      return await resultIn(response, { to: this.#to, id, ...options, onMessage })
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }

  /** Answers a request of the server. Its notifications have no id. */
  async #answer(session: Session, { id, method, params = {} }: Message, { onElicit }: RequestInside): Promise<void> {
    if (id === undefined || id === null) return
    if (method === 'ping') return this.#notify(session, { id, result: {} })
    if (method !== 'elicitation/create' || !onElicit) {
      return this.#notify(session, { id, error: { code: -32601, message: `This client has no method "${method}".` } })
    }
    const reply = await onElicit(params).then(
      (result) => ({ id, result }),
      (error) => ({ id, error: { code: -32603, message: messageOf(error) } }),
    )
    return this.#notify(session, reply)
  }

  /** Sends a message that has no response. */
  async #notify({ headers }: Session, message: { readonly [key: string]: Json | JsonObject }): Promise<void> {
    const response = await send(this.#to, { body: { jsonrpc: '2.0', ...message }, headers, signal: undefined })
    drop(response)
    if (!response.ok) throw statusError(this.#to.url, response.status)
  }
}

function unknownVersion({ url }: Endpoint, version: Json | undefined): NoSession {
  const theirs = version === undefined ? 'names no version of the protocol' : `speaks MCP ${JSON.stringify(version)}`
  return new NoSession(
    'remote_failed',
    `The MCP server ${url.href} ${theirs}. This client speaks ${legacyVersions.join(', ')}: update the one that is older.`,
  )
}

function tooSlow({ url }: Endpoint): never {
  const message = `The MCP server ${url.href} did not answer \`initialize\` within ${sessionMs} ms. Check that it is running.`
  throw new NoSession('remote_failed', message, { retryable: true })
}
