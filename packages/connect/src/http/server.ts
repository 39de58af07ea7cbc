import { AgentError, type Host, isAgentError, localHost } from '@interleave/core'
import { messageOf, parseJson, readUpTo, withDefaults } from '@interleave/core/internal'
import type { Shape } from '@interleave/core/shapes'
import { elapsedMs, pause, retryDelay, until } from '../wait.ts'
import { type Places, placesFor } from './pagePlaces.ts'
import {
  type Address,
  cutOff,
  isPage,
  mayPass,
  notHandler,
  problemIn,
  problemOf,
  redirectedPost,
  slowError,
  tooLarge,
  unconfirmed,
  unreachable,
} from './serverErrors.ts'

/**
 * The headers of every request. A function is called for each, so that it can return a fresh token. If the server answers
 * with 401, it is called once more, with `isRefused`. If it throws, the request is retried as after a network error,
 * unless it throws an `AgentError` that is not `retryable`.
 */
export type RemoteHeaders =
  | Readonly<Record<string, string>>
  | ((request: { readonly isRefused: boolean }) => HeaderRecord | PromiseLike<HeaderRecord>)
type HeaderRecord = Readonly<Record<string, string>>

export interface ServerRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly body?: unknown
  readonly accept?: string
  /** The shape of a handler's answer: JSON of any other shape is from something else, such as a proxy. */
  readonly shape?: Shape
  readonly signal?: AbortSignal
  /** True if it is retried until it succeeds, or the signal aborts. Otherwise it is retried for a minute. */
  readonly untilAnswered?: boolean
  /** Called if it failed, or takes long, and is retried in this many milliseconds. */
  readonly onPause?: (ms: number, error: unknown) => void
  /**
   * Returns a signal that aborts when the server is reachable again. A request that waits for its retry, or hangs, is
   * then sent at once.
   */
  readonly back?: () => AbortSignal
}

type SentRequest = ServerRequest & { readonly signal: AbortSignal }

/** The times of a server that does not answer, in milliseconds. */
export interface Timeouts {
  /** Without an answer for this long, the link reports the server as slow. 2,000 by default. */
  readonly slowAfterMs: number
  /** Without an answer for this long, a request is sent again, since that may succeed where it hangs. 30,000 by default. */
  readonly requestMs: number
}

export interface ServerOptions {
  /** The address of the handler, before `/v1`. */
  url: string
  /** Request headers, for example for authentication. */
  headers?: RemoteHeaders
  /** Makes the requests; the platform's `fetch` by default. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Time, timers and ids. */
  host?: Host
}

/** Milliseconds for all attempts together, unless one may take longer. */
const longest = 60_000
/** The limits of a response, which may contain a whole run. */
const wire = { maxLength: 2 ** 28, maxDepth: 100 }
/** A proxy refuses what is too large for it, however good the connection is. */
const isTooLargeForProxy = (error: unknown): boolean => isAgentError(error) && error.status === 413
/** The maximum bytes to read of a response without data, such as an error. */
const mostOfProblem = 65_536

/** Sends requests to a server. */
export class Server {
  readonly host: Host
  /** The places of its event streams. */
  readonly places: Places
  readonly #options: ServerOptions
  readonly #timeouts: Timeouts
  readonly #base: string
  /** True once a handler has answered: whatever else answers then may pass. */
  #isKnown = false
  /** True from the first failure to reach the server to its next answer. */
  #isAway = false

  constructor(options: ServerOptions, timeouts?: Partial<Timeouts>) {
    this.host = options.host ?? localHost
    this.places = placesFor(options.url)
    this.#options = options
    this.#timeouts = withDefaults({ slowAfterMs: 2_000, requestMs: 30_000 }, timeouts)
    this.#base = options.url.replace(/^(.*[^/])?\/*$/s, '$1')
  }

  /** Sends a request once. Throws an `AgentError` unless it succeeds. */
  async open(path: string, request: SentRequest): Promise<Response> {
    let response = await this.#send(path, request, false)
    if (response.status === 401 && typeof this.#options.headers === 'function') {
      discard(response)
      response = await this.#send(path, request, true)
    }
    // A response that breaks off decides nothing yet, and may be requested again.
    if (response.ok && !isPage(response)) {
      if (isStream(response)) this.#isKnown = true
      return response
    }
    const { text } = await this.#reach(() => readUpTo(mostOfProblem, response, request.signal), request.signal)
    // A front may redirect to an address that the handler does not have, such as that of a sign-in.
    const isOther = response.ok || (this.#isKnown && isElsewhere(response, path))
    if (isOther) throw notHandler(response, text, this.#address)
    if (problemIn(text)) this.#isKnown = true
    if (lostInRedirect(response, request, path)) throw redirectedPost(this.#base, response.url)
    throw problemOf(response.status, text, this.#address)
  }

  get #address(): Address {
    return { base: this.#base, isKnown: this.#isKnown }
  }

  /** Sends a request until there is a response, or for a minute: only for requests that may be repeated. Returns its JSON. */
  async call(path: string, request: ServerRequest = {}): Promise<unknown> {
    const { host } = this
    const { signal: ended = never } = request
    const allMs = Math.max(longest, this.#timeouts.requestMs)
    const late = timeoutAfter(request.untilAnswered ? Number.POSITIVE_INFINITY : allMs, host)
    const signal = AbortSignal.any([ended, late.signal])
    const begunAt = host.now()
    try {
      for (let attempt = 0; ; attempt++) {
        const back = request.back?.() ?? never
        try {
          return await this.#callOnce(path, { ...request, signal })
        } catch (error) {
          const ms = retryDelay(attempt, host)
          if (mayPass(error) && !signal.aborted) {
            request.onPause?.(ms, error)
            await pause(host, ms, AbortSignal.any([signal, back]))
          }
          if (ended.aborted) throw ended.reason
          if (!mayPass(error)) throw error
          if (isTooLargeForProxy(error) && elapsedMs(begunAt, host.now()) >= longest) throw error
          if (signal.aborted) throw this.#lateError(request, allMs, error)
        }
      }
    } finally {
      late.cancel()
    }
  }

  /** Returns the error of a request whose time is up. A command may have arrived, also without a response. */
  #lateError({ method = 'GET' }: ServerRequest, ms: number, error: unknown): unknown {
    return method === 'GET' ? error : unconfirmed(this.#base, ms, error, messageOf(error))
  }

  /** Reports that the server does not respond, unless the returned function is called before. */
  reportSlow(report: (error: AgentError) => void): () => void {
    const { slowAfterMs } = this.#timeouts
    return this.host.timer(slowAfterMs, () => report(slowError(this.#base, slowAfterMs)))
  }

  async #callOnce(path: string, request: SentRequest): Promise<unknown> {
    const { requestMs, slowAfterMs } = this.#timeouts
    const late = timeoutAfter(requestMs, this.host)
    const cancelSlow = this.reportSlow((error) => {
      request.onPause?.(requestMs - slowAfterMs, error)
      request.back?.().addEventListener('abort', late.abort, { once: true })
    })
    try {
      const signal = AbortSignal.any([request.signal, late.signal])
      const response = await this.open(path, { ...request, signal })
      if (response.status === 204 && !request.shape) return undefined
      const { text, isCut } = await this.#reach(() => readUpTo(wire.maxLength, response, signal), signal)
      if (isCut) throw tooLarge(this.#base, wire.maxLength)
      const answer = this.#read(response, text)
      if (request.shape?.(answer) !== undefined) throw notHandler(response, text, this.#address)
      this.#isKnown = true
      return answer
    } finally {
      cancelSlow()
      late.cancel()
    }
  }

  #read(response: Response, text: string): unknown {
    try {
      return parseJson(text, wire)
    } catch (error) {
      if (saysJson(response)) throw cutOff(this.#base, error)
      throw notHandler(response, text, this.#address, error)
    }
  }

  async #send(
    path: string,
    { method = 'GET', body, accept = 'application/json', signal }: SentRequest,
    isRefused: boolean,
  ): Promise<Response> {
    const { fetch = globalThis.fetch } = this.#options
    const ownHeaders = await this.#headers(isRefused, signal)
    const type = body !== undefined && { 'content-type': 'application/json' }
    const response = await this.#reach(
      () =>
        fetch(`${this.#base}/v1/${path}`, {
          method,
          signal,
          cache: 'no-store',
          headers: { accept, ...type, ...ownHeaders },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      signal,
    )
    this.#isAway = false
    return response
  }

  /** Returns the headers. An app may fetch a token for them, which may fail and hang like any other request. */
  async #headers(isRefused: boolean, signal: AbortSignal): Promise<HeaderRecord> {
    const { headers = {} } = this.#options
    if (typeof headers !== 'function') return headers
    try {
      return await until(Promise.resolve(headers({ isRefused })), { signal })
    } catch (cause) {
      if (isAgentError(cause)) throw cause
      const message = `The \`headers\` for "${this.#base}" failed: ${messageOf(cause)}`
      throw new AgentError('remote_failed', message, { cause, retryable: true })
    }
  }

  /** Browsers do not say why a request failed: the console of the page says what to check, once for each failure. */
  async #reach<T>(send: () => Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      return await send()
    } catch (cause) {
      const error = unreachable(this.#base, cause, messageOf(cause))
      if (!this.#isAway && !signal.aborted) console.warn(`Interleave: ${error.message}`)
      this.#isAway ||= !signal.aborted
      throw error
    }
  }
}

/** Returns a signal that aborts after this many milliseconds, unless it is cancelled. */
function timeoutAfter(
  ms: number,
  host: Pick<Host, 'timer'>,
): { readonly signal: AbortSignal; abort(): void; cancel(): void } {
  const late = new AbortController()
  const abort = (): void => late.abort(new TypeError('No answer in time'))
  const cancel = ms === Number.POSITIVE_INFINITY ? () => {} : host.timer(ms, abort)
  return { signal: late.signal, abort, cancel }
}
const never = new AbortController().signal

const discard = ({ body }: Response): void => void body?.cancel().catch(() => {})

const isStream = ({ headers }: Response): boolean => /^text\/event-stream\b/i.test(headers.get('content-type') ?? '')
const saysJson = ({ headers }: Response): boolean => /\bjson\b/i.test(headers.get('content-type') ?? '')

/** Returns true if a handler has got a request without its body or its headers, as a GET. */
const lostInRedirect = ({ redirected, status }: Response, { method }: ServerRequest, path: string): boolean =>
  redirected && (status === 401 || (method === 'POST' && (status === 405 || (status === 404 && isStart(path)))))

/** Returns true if a redirect has led to another path. */
const isElsewhere = ({ redirected, url }: Response, path: string): boolean =>
  redirected && !new URL(url).pathname.endsWith(`/v1/${path.replace(/\?.*/s, '')}`)

/** Returns true for the address of a run itself: that a run is unknown is no answer to a request that starts it. */
const isStart = (path: string): boolean => /^runs\/[^/?]+(\?|$)/.test(path)
