import { AgentError, isAgentError } from '@interleave/core'
import type { ErrorCode } from '@interleave/core/internal'
import { redact } from '@interleave/core/observe'
import { type FailureOptions, Failures } from './failures.ts'

/** The error of a request for the client (RFC 9457), with the code of its `AgentError`. */
export interface Problem {
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: ErrorCode
  readonly retryable: boolean
  /** The app's own words for users, where it has more to say than the code. */
  readonly userMessage?: string
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
  step_failed: [422, 'The agent could not take this'],
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
  'step_failed',
]

/** Codes with a status below 500 that a developer of the server has to mend all the same. */
const faults: readonly ErrorCode[] = ['log_invalid', 'step_failed']

/** Returns the error for the client. The messages of internal errors are for developers, unless they are exposed. */
export function toProblem(error: unknown, { exposeErrors = false }: Exposing = {}): Problem {
  const { code, message, retryable, status, userMessage } = isAgentError(error) ? error : unexpected()
  const [usual = 500, title = 'Something went wrong'] = statuses[code] ?? []
  const isFault = usual === 500
  const isHidden = (secretive.includes(code) || isFault) && !exposeErrors
  // The status of a model or of another server is not the status of this one.
  const own = isFault && code !== 'server_failed' ? usual : (status ?? usual)
  return {
    ...{ title, status: own, code: isFault ? 'server_failed' : code, retryable },
    detail: isHidden ? title : redact(message).value,
    ...(userMessage && { userMessage }),
  }
}

/** The part of the options that decides what clients see of errors. */
export type Exposing = Pick<FailureOptions, 'exposeErrors'>

export function problemResponse(problem: Problem, headers: Readonly<Record<string, string>> = {}): Response {
  const { status, retryable } = problem
  const body = new TextEncoder().encode(JSON.stringify({ type: 'about:blank', ...problem }))
  return new Response(body, {
    status,
    headers: {
      'content-type': 'application/problem+json',
      // A client knows that it has all of it before the connection closes.
      'content-length': String(body.length),
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

/** Options for the answer to a request that failed. */
export interface AnswerOptions extends Exposing {
  /** Learns of internal errors; by default they are written to the console. */
  readonly failures?: Failures
  readonly request?: Pick<Request, 'method' | 'url'>
  readonly headers?: Readonly<Record<string, string>>
}

/** Returns the response for an error. Internal errors are reported to the developers of the server. */
export function answerProblem(error: unknown, options: AnswerOptions = {}): Response {
  const { failures = consoleOnly, request, headers, ...exposing } = options
  const problem = toProblem(error, exposing)
  if (problem.status >= 500 || faults.includes(problem.code)) failures.receiveError(error, request)
  return problemResponse(problem, headers)
}

const consoleOnly = new Failures({})

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
