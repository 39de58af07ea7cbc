import { AgentError, type Failure } from '@interleave/core'
import { type ErrorCode, fromFailure, jsonIn, readThrown } from '@interleave/core/internal'
import { failure } from '@interleave/core/shapes'

/* The errors of requests to a server. What a handler says is final, unless it says otherwise itself. What anything else
   says, such as a proxy or a sign-in page, is final only as long as no handler has ever answered there. */

/** The address of a server, and whether a handler has answered there before. */
export interface Address {
  readonly base: string
  readonly isKnown: boolean
}

/** Returns true if a repeated request may have another response. */
export const mayPass = (error: unknown): boolean => readThrown(error, ({ retryable }) => retryable === true, false)

export const slowError = (base: string, ms: number): AgentError =>
  new AgentError('remote_failed', `The server at "${base}" has not answered for ${ms / 1_000} seconds.`, {
    retryable: true,
  })

/** Returns true for a page: many servers answer an unknown address with the page of an app, and status 200. */
export const isPage = ({ headers }: Response): boolean => /^text\/html\b/i.test(headers.get('content-type') ?? '')

/** Creates the error of a network failure, since browsers do not say what it is. */
export const unreachable = (base: string, cause: unknown, words: string): AgentError =>
  new AgentError(
    'remote_failed',
    `The server at "${base}" cannot be reached: ${words}. If it runs, check that this is its address, and that its allowedOrigins has this page.`,
    { cause, retryable: true },
  )

/** Creates the error of a command without a response, which may have arrived. */
export const unconfirmed = (base: string, ms: number, cause: unknown, words: string): AgentError =>
  new AgentError(
    'remote_failed',
    `Not confirmed: the server at "${base}" has not answered within ${Math.round(ms / 1_000)} seconds, so this may still take effect. Look at what the run shows before you repeat it. The last attempt: ${words}`,
    { cause, retryable: true },
  )

/** Creates the error of a response that ends too early, for example with a lost connection. It is requested again. */
export const cutOff = (base: string, cause: unknown): AgentError =>
  new AgentError(
    'remote_failed',
    `The answer of "${base}" broke off. Check the connection, and the proxies on the way.`,
    {
      retryable: true,
      cause,
    },
  )

export const tooLarge = (base: string, most: number): AgentError =>
  new AgentError(
    'too_large',
    `"${base}" answers with more than ${most} bytes. \`url\` must be the address of a createHandler().`,
  )

/** Creates the error of a POST request that a redirect has turned into a GET request without its body. */
export const redirectedPost = (base: string, to: string): AgentError =>
  new AgentError(
    'remote_failed',
    `"${base}" redirects to "${to}". A redirect loses the body or the headers of a request: make the address before /v1 there the \`url\`.`,
  )

/** Creates the error of a response that is not from a handler. */
export function notHandler(response: Response, text: string, { base, isKnown }: Address, cause?: unknown): AgentError {
  const type = response.headers.get('content-type') ?? 'no content type'
  const what = isPage(response) ? 'a page' : cause ? 'no JSON' : 'other JSON'
  const begins = JSON.stringify(text.trim().slice(0, 80))
  const where = response.redirected ? `, after a redirect to "${response.url}"` : ''
  const message = `"${base}" answers with ${what} (${type})${where}, not like a createHandler(). It begins: ${begins}. \`url\` must be the address before /v1, and requests to it must reach the handler and not a proxy or a sign-in page.`
  return new AgentError('remote_failed', message, { cause, retryable: isKnown })
}

/** Creates the error of a response with an error status. */
export function problemOf(status: number, text: string, { base, isKnown }: Address): AgentError {
  const problem = problemIn(text)
  if (problem) return fromFailure({ ...problem, retryable: problem.retryable || status >= 500, status })
  // A proxy responds, and not the handler.
  const passes = isKnown || status >= 500 || status === 408 || status === 429
  const message = `The server at "${base}" answered with status ${status}.${hints[status] ?? ''}`
  return new AgentError(status === 413 ? 'too_large' : 'remote_failed', message, { retryable: passes, status })
}

/** Returns the problem of a handler; undefined if something else has answered. */
export function problemIn(text: string): Failure | undefined {
  const { code, detail, retryable, userMessage } = (jsonIn(text) ?? {}) as Partial<Record<string, unknown>>
  if (failure({ code, message: detail }) !== undefined) return undefined
  const forUser = typeof userMessage === 'string' && { userMessage }
  return { code: code as ErrorCode, message: detail as string, retryable: retryable === true, ...forUser }
}

const wrongAddress = ' Is that its address, without /v1?'
const limitOfProxy =
  ' This is not the handler: raise the limit of the proxy before it as well, such as `client_max_body_size` of nginx.'
const hints: Readonly<Record<number, string>> = { 404: wrongAddress, 405: wrongAddress, 413: limitOfProxy }
