import { AgentError, isAgentError } from '@interleave/core'
import { type ErrorCode, messageOf } from '@interleave/core/internal'
import { type AnyEvent, redact } from '@interleave/core/observe'

/** The error of a request for the client (RFC 9457), with the code of its `AgentError`. */
export interface Problem {
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: ErrorCode
  readonly retryable: boolean
}

const statuses: Readonly<Partial<Record<ErrorCode, readonly [status: number, title: string]>>> = {
  request_invalid: [400, 'The request cannot be understood'],
  json_invalid: [400, 'The body cannot be read'],
  options_invalid: [400, 'An option or a value is invalid'],
  not_allowed: [401, 'Not allowed'],
  token_invalid: [403, 'The token is not valid for this'],
  run_unknown: [404, 'There is no such run'],
  approval_changed: [409, 'The input has another prompt'],
  ask_unknown: [409, 'The question is not open'],
  run_busy: [409, 'The run is not ready for this'],
  journal_conflict: [409, 'The run has changed meanwhile'],
  too_large: [413, 'Too large'],
  reply_invalid: [422, 'The reply does not fit the question'],
  too_many: [429, 'Too many'],
  journal_failed: [503, 'The journal failed'],
  journal_full: [503, 'The journal is full'],
  agent_mismatch: [409, 'This server has no agent that can resume the run'],
  // No 5xx: a client would repeat the request.
  log_invalid: [409, 'The stored run is damaged, or of a later version: delete it, or update the server'],
}

/** Codes whose messages may contain internal details. */
const secretive: readonly ErrorCode[] = [
  'run_unknown',
  'journal_conflict',
  'journal_failed',
  'journal_full',
  'agent_mismatch',
  'log_invalid',
]

/** Returns the error for the client. Foreign errors are reported without their message. */
export function toProblem(error: unknown): Problem {
  const { code, message, retryable, status } = isAgentError(error) ? error : unexpected()
  const [usual = 500, title = 'Something went wrong'] = statuses[code] ?? []
  const isFault = usual === 500
  const detail = secretive.includes(code) || isFault ? title : redact(message).value
  // The status of a model or of another server is not the status of this one.
  const own = isFault && code !== 'server_failed' ? usual : (status ?? usual)
  return { title, status: own, detail, code: isFault ? 'server_failed' : code, retryable }
}

export function problemResponse(problem: Problem, headers: Readonly<Record<string, string>> = {}): Response {
  const { status, retryable } = problem
  return new Response(JSON.stringify({ type: 'about:blank', ...problem }), {
    status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...(retryable && { 'retry-after': '1' }),
      ...headers,
    },
  })
}

export const unknownRun = (): AgentError => new AgentError('run_unknown', 'There is no such run.')
export const unknownAgent = (name: string): AgentError =>
  new AgentError('agent_mismatch', `There is no agent "${name}" here.`)
export const otherRun = (): AgentError => new AgentError('journal_conflict', 'There is another run of this id.')

const unexpected = (): AgentError => new AgentError('server_failed', '')

/** Returns the response for an error. Internal errors are logged to the server's console only, without secrets. */
export function answerProblem(error: unknown, headers?: Readonly<Record<string, string>>): Response {
  const problem = toProblem(error)
  if (problem.status >= 500 || problem.code === 'log_invalid') console.error(redact(describe(error, 4)).value)
  return problemResponse(problem, headers)
}

/** Formats an error with its stack and causes, at most this many, which may be cyclic. */
function describe(error: unknown, most: number): string {
  const { stack, cause } = Object(error) as { readonly stack?: unknown; readonly cause?: unknown }
  const words = typeof stack === 'string' ? stack : messageOf(error)
  return cause === undefined || most === 1 ? words : `${words}\nCaused by: ${describe(cause, most - 1)}`
}

/** Returns an event whose error reveals no secret: messages of providers and tools may contain a key or a login. */
export function withSafeErrors<E extends AnyEvent>(event: E): E {
  const hasFailed = 'error' in event || (event.type === 'rested' && event.signal.type === 'failed')
  return hasFailed ? redact(event).value : event
}

/** Creates a response with data. */
export const json = (data: unknown, status = 200): Response =>
  new Response(JSON.stringify(data), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
  })

/** Runs work, and converts its error. */
export async function converting<T>(work: () => T | PromiseLike<T>, convert: (error: unknown) => unknown): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw convert(error)
  }
}
