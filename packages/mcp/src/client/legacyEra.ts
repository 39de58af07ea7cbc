import { until } from '@interleave/connect/internal'
import { AgentError, type Json } from '@interleave/core'
import { type Endpoint, send } from './exchange.ts'
import { LegacySession } from './legacySession.ts'
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

/** A session that can be replaced, and the run whose requests are open in it. */
interface Place {
  session: Promise<LegacySession> | undefined
  run: unknown
  requests: number
}

/**
 * Speaks the protocol of 2025: sessions, in which the server may ask while a request is open. It does not say which
 * request a question is for, so runs that make requests at the same time have different sessions: no question reaches the
 * user of another run.
 */
export class LegacyEra {
  readonly #to: Endpoint
  /** The first one is also for requests of no run. */
  readonly #places: [Place, ...Place[]] = [emptyPlace()]

  constructor(to: Endpoint) {
    this.#to = to
  }

  async request(method: string, params: JsonObject, options: RequestInside): Promise<JsonObject> {
    const place = options.onElicit ? this.#placeOf(options.runId ?? options) : this.#places[0]
    place.requests++
    try {
      return await this.#requestIn(place, (session) => session.request(method, params, options), options)
    } finally {
      if (--place.requests === 0) place.run = undefined
    }
  }

  #placeOf(run: unknown): Place {
    // Some servers send all their questions to the session that they began last.
    const placeWith = (found: unknown) => this.#places.findLast((place) => place.run === found)
    const place = placeWith(run) ?? placeWith(undefined) ?? emptyPlace()
    if (!this.#places.includes(place)) this.#places.push(place)
    place.run = run
    return place
  }

  /** Makes a request. Makes it once more, in a new session, if the server refuses this one: it has not executed it. */
  async #requestIn<T>(
    place: Place,
    request: (session: LegacySession) => Promise<T>,
    { signal }: RequestInside,
  ): Promise<T> {
    const session = this.#sessionAt(place)
    const first = await until(session, { signal })
    try {
      return await request(first)
    } catch (error) {
      if (!isRefused(error, first)) throw error
      forget(place, session)
      return request(await until(this.#sessionAt(place), { signal }))
    }
  }

  /** Starts a session, or returns the existing one. */
  open(): Promise<LegacySession> {
    return this.#sessionAt(this.#places[0])
  }

  #sessionAt(place: Place): Promise<LegacySession> {
    if (place.session) return place.session
    const session = until((signal) => this.#initialize(signal), {
      ms: sessionMs,
      onTimeout: () => tooSlow(this.#to),
      host: this.#to.renewals,
    })
    place.session = session
    session.catch(() => forget(place, session))
    return session
  }

  async #initialize(signal: AbortSignal): Promise<LegacySession> {
    const id = 1
    const params = { protocolVersion: legacyVersion, capabilities: this.#to.capabilities, clientInfo }
    const body = { jsonrpc: '2.0', id, method: 'initialize', params }
    const response = await send(this.#to, { body, headers: {}, signal })
    const sessionId = response.headers.get('mcp-session-id')
    const { protocolVersion, capabilities } = await resultIn(response, { to: this.#to, id, signal })
    if (typeof protocolVersion !== 'string' || !legacyVersions.includes(protocolVersion))
      throw unknownVersion(this.#to, protocolVersion)
    const headers = {
      'mcp-protocol-version': protocolVersion,
      ...(sessionId !== null && { 'mcp-session-id': sessionId }),
    }
    const session = new LegacySession(this.#to, { headers, capabilities })
    await session.notify({ method: 'notifications/initialized' })
    return session
  }

  /**
   * Keeps the stream of the server's own messages open until it ends. Reports changes of the list in it, if the server
   * does. Rejects if there is no stream.
   */
  async listen(signal: AbortSignal, onMessage: (message: Message) => void): Promise<void> {
    const place = this.#places[0]
    const session = this.#sessionAt(place)
    const { stream, reportsChanges } = await until(session, { signal })
    await stream.listen(signal, (message) => {
      if (reportsChanges) onMessage(message)
    })
    if (stream.isLost) forget(place, session)
  }
}

const emptyPlace = (): Place => ({ session: undefined, run: undefined, requests: 0 })

/** Forgets a session, unless another one has replaced it. */
function forget(place: Place, session: Promise<LegacySession>): void {
  if (place.session === session) place.session = undefined
}

/** Returns true if the server refuses a session that it has begun, for example because it restarted. */
const isRefused = (error: unknown, { isNamed }: LegacySession): boolean =>
  isNamed && error instanceof AgentError && refusals.includes(error.status)

/** Some servers, such as the examples of the official library before 1.27, answer 400 instead of 404. */
const refusals: readonly unknown[] = [400, 404, 410]

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
