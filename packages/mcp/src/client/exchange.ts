import { readServerEvents, until } from '@interleave/connect/internal'
import { AgentError } from '@interleave/core'
import { isObject, messageOf, readThrown, readUpTo } from '@interleave/core/internal'
import type { McpAuth, WhileUserActs } from './auth.ts'
import type { RequestOptions } from './mcpServer.ts'
import type { Renewals } from './renewals.ts'
import { type JsonObject, longestMessage, type Message, readMessage } from './rpc.ts'
import type { StreamPosition } from './streamPosition.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface Endpoint {
  readonly url: URL
  readonly fetch: Fetch
  readonly auth: McpAuth | undefined
  readonly renewals: Renewals
  /** The capabilities of the client. */
  readonly capabilities: JsonObject
  /** The app's own headers. */
  readonly headers: () => PromiseLike<Readonly<Record<string, string>>>
}

interface Sending extends Pick<RequestOptions, 'whileUserActs' | 'whileRefused'> {
  readonly body?: object
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal | undefined
}

/** The error if the server is unreachable, or if a page may not read its response: a browser does not report which. */
export class Unreachable extends AgentError {
  /** True if the request came from a page of another origin. */
  readonly isOfPage: boolean

  constructor(cause: unknown, url: URL) {
    const isOfPage = typeof location === 'object' && location.origin !== url.origin
    const cors = `If it does run, its CORS rules must allow the origin of this page, and the headers content-type, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id, and authorization, mcp-param-* and last-event-id where they are used. They must expose mcp-session-id and www-authenticate.`
    const words = `The MCP server ${url.href} cannot be reached: ${messageOf(cause)}.`
    super('remote_failed', isOfPage ? `${words} ${cors}` : words, { cause, retryable: true })
    this.isOfPage = isOfPage
  }
}

/** The error if the server's answer was lost, or cannot be read: the server may have executed the request. */
export class CutOff extends AgentError {
  constructor(cause: unknown, { host }: URL) {
    const words = `The connection to the MCP server ${host} ended before its answer. It may have executed the request.`
    const known = cause instanceof AgentError ? cause : undefined
    const { code = 'remote_failed', message = words, retryable = true, status } = known ?? {}
    super(code, message, { cause, retryable, status })
  }
}

/** The statuses of a proxy that forwarded a request and received no valid response. */
export const lostStatuses: readonly number[] = [502, 504, 520, 524]

/** Returns true if the platform reports that an open connection was lost. Browsers do not report it. */
const isLost = (error: unknown): boolean =>
  readThrown(error, ({ cause }) => isObject(cause) && lostCodes.includes(cause.code), false)
const lostCodes: readonly unknown[] = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

/** The number of refusals after which a request fails: the first renews the tokens, and the second asks for consent. */
const mostRefusals = 2

const now: WhileUserActs = (work) => work()

/** Posts a message; without one, opens the server's stream of 2025. Renews the authorization if the server asks for it. */
export async function send(
  to: Endpoint,
  { body, headers, signal, whileUserActs = now, whileRefused = now }: Sending,
): Promise<Response> {
  const { url, fetch, auth, renewals } = to
  for (let refusals = 0; ; ) {
    signal?.throwIfAborted()
    const { count } = renewals
    const token = await auth?.token()
    const request: RequestInit = {
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : { method: 'GET' }),
      headers: {
        ...(await to.headers()),
        ...(token && { authorization: `Bearer ${token}` }),
        accept: body ? 'application/json, text/event-stream' : 'text/event-stream',
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(signal && { signal }),
      ...withoutCredentials(),
    }
    const response = await fetch(url.href, request).catch((error) => {
      signal?.throwIfAborted()
      throw isLost(error) ? new CutOff(error, url) : new Unreachable(error, url)
    })
    const isRefused = response.status === 401 || response.status === 403
    if (!isRefused || !auth) return response
    // Another request may have renewed the tokens meanwhile.
    const isLate = renewals.count > count
    if (!isLate && refusals++ === mostRefusals) return response
    const renew = () => until(renewals.refuse(auth, response, whileUserActs), { signal })
    const isRenewed = isLate || (await whileRefused(renew))
    drop(response)
    if (!isRenewed) throw statusError(to.url, response.status)
  }
}

/**
 * Returns options without cookies, referrer and redirects, which could carry a token to another host. Some platforms
 * throw for unknown options.
 */
function withoutCredentials(): RequestInit {
  const known = typeof Request === 'undefined' ? {} : Request.prototype
  return {
    ...('credentials' in known && { credentials: 'omit' }),
    ...('referrerPolicy' in known && { referrerPolicy: 'no-referrer' }),
    // workerd does not support "error".
    redirect: 'manual',
  }
}

export const drop = ({ body }: Response): void => void body?.cancel().catch(() => {})

const typeOf = ({ headers }: Response): string | undefined =>
  headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
export const isStream = (response: Response): boolean => typeOf(response) === 'text/event-stream'

/** Yields the messages of a response: one as JSON, or a stream of them. */
export async function* messagesOf(
  response: Response,
  signal: AbortSignal | undefined,
  position?: StreamPosition,
): AsyncGenerator<Message, void> {
  const type = typeOf(response)
  if (isStream(response) && response.body) {
    for await (const event of readServerEvents(response.body, () => signal?.throwIfAborted(), longestMessage)) {
      position?.move(event)
      if (event.data !== '') yield readMessage(event.data)
    }
    return
  }
  const text = await readText(response, signal)
  if (type !== 'application/json') throw noMessage(response, text, type)
  yield readMessage(text)
}

export async function readText(response: Response, signal: AbortSignal | undefined): Promise<string> {
  const { text, isCut } = await readUpTo(longestMessage, response, signal ?? new AbortController().signal)
  if (isCut) throw new AgentError('too_large', `The MCP server answered with more than ${longestMessage} bytes.`)
  return text
}

const noMessage = ({ url }: Response, text: string, type = 'no type'): AgentError => {
  const what = text.slice(0, 200).trim()
  const words = `The MCP server answered with ${type} instead of JSON. Is \`url\` the address of its MCP endpoint (${url})?`
  return new AgentError('remote_failed', what ? `${words} It begins: ${what}` : words)
}

/** Creates the error of an HTTP status, with advice. */
export function statusError({ href }: URL, status: number, body = ''): AgentError {
  const words = `The MCP server ${href} answered with HTTP ${status}. ${adviceFor(status)}${body && ` Its response: ${body.slice(0, 500)}`}`
  const retryable = status === 429 || status >= 500
  return new AgentError('remote_failed', words.trim(), { status, retryable })
}

function adviceFor(status: number): string {
  if (status === 401) return 'It requires authorization: pass `auth`, or `headers` with a valid token.'
  if (status === 403) return 'It denies access: the token may lack a scope, or the server refuses this origin.'
  if (status === 404 || status === 405)
    return 'The `url` may be wrong: it has to be the MCP endpoint, often ending in /mcp.'
  if (status === 0 || (status >= 300 && status < 400)) return 'It redirects. Pass the `url` that it redirects to.'
  return ''
}
