import { serverMessage } from './serverMessage.ts'

/** Every way in which something can go wrong. Closed, so that a `switch` over it is complete. */
export type ErrorCode =
  | 'agent_mismatch'
  | 'answer_invalid'
  | 'answer_missing'
  | 'ask_unknown'
  | 'call_repeated'
  | 'config_invalid'
  | 'context_full'
  | 'graph_invalid'
  | 'guard_blocked'
  | 'guard_failed'
  | 'interrupted'
  | 'invariant_broken'
  | 'journal_conflict'
  | 'journal_failed'
  | 'journal_full'
  | 'json_invalid'
  | 'log_invalid'
  | 'model_failed'
  | 'model_filtered'
  | 'model_idle'
  | 'model_incomplete'
  | 'model_malformed'
  | 'model_timeout'
  | 'model_too_large'
  | 'not_allowed'
  | 'options_invalid'
  | 'remote_failed'
  | 'reply_invalid'
  | 'request_invalid'
  | 'run_busy'
  | 'run_unknown'
  | 'schema_unsupported'
  | 'server_failed'
  | 'stalled'
  | 'state_invalid'
  | 'step_failed'
  | 'stopped'
  | 'token_invalid'
  | 'too_deep'
  | 'too_large'
  | 'too_many'
  | 'tool_failed'
  | 'tool_input_invalid'
  | 'tool_interrupted'
  | 'tool_refused'
  | 'tool_skipped'
  | 'tool_timeout'
  | 'tool_unknown'
  | 'worker_failed'

/** An error as plain JSON: what events, signals and the wire carry. */
export interface Failure {
  readonly code: ErrorCode
  readonly message: string
  /** Whether the same call may succeed later. */
  readonly retryable: boolean
  /** The HTTP status of the model's server, where there was one. */
  readonly status?: number
}

export interface AgentErrorOptions {
  cause?: unknown
  retryable?: boolean
  status?: number | undefined
}

/** The only error class. Told apart by `name` and `code`, since a page may hold frames and more than one copy of it. */
export class AgentError extends Error {
  override readonly name = 'AgentError'
  readonly code: ErrorCode
  readonly retryable: boolean
  readonly status: number | undefined

  constructor(code: ErrorCode, message: string, { cause, retryable = false, status }: AgentErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.retryable = retryable
    this.status = status
  }
}

/**
 * Whether this is an error of ours, also from another frame or another copy of this package: an `instanceof` would know only those
 * of its own. A proxy that was revoked bears no look at it.
 */
export function isAgentError(error: unknown): error is AgentError {
  try {
    return isError(error) && error.name === 'AgentError' && 'code' in error
  } catch {
    return false
  }
}

const isError = (value: unknown): value is Error => Object.prototype.toString.call(value) === '[object Error]'

/** Any thrown value as plain JSON, also one that throws where it is looked at. What is not one of ours gets `code`. */
export function toFailure(error: unknown, code: ErrorCode): Failure {
  try {
    return failureOf(error, code)
  } catch {
    return { code, message: unreadable, retryable: false }
  }
}

const unreadable = 'What was thrown cannot be read.'

function failureOf(error: unknown, otherwise: ErrorCode): Failure {
  const { code, message, retryable, isRetryable, status, statusCode } = (error ?? {}) as Partial<
    Record<string, unknown>
  >
  const isOurs = isAgentError(error) && typeof code === 'string'
  const number = isOurs ? status : statusCode
  return {
    code: isOurs ? (code as ErrorCode) : otherwise,
    message: isOurs ? String(message).slice(0, mostOfMessage) : withServerMessage(error),
    retryable: (isOurs ? retryable : isRetryable) === true,
    ...(Number.isFinite(number) && { status: number as number }),
  }
}

/** The error that a failure was, as whoever is elsewhere is to be told of it. */
export const fromFailure = ({ code, message, ...options }: Failure): AgentError =>
  new AgentError(code, message, options)

function withServerMessage(error: unknown): string {
  const [message, written] = [messageOf(error), serverMessage(error)]
  return written === undefined || message.includes(written) ? message : `${message}: ${written}`
}

/** So many characters of a message are kept. */
const mostOfMessage = 65_536

/** The text of any thrown value, never empty. */
export function messageOf(error: unknown): string {
  if (error === undefined || error === null) return 'It failed without a reason.'
  try {
    return wordsOf(error).slice(0, mostOfMessage)
  } catch {
    return unreadable
  }
}

function wordsOf(error: unknown): string {
  if (error instanceof Error) return error.message ? String(error.message) : String(error.name)
  if (typeof error === 'string' && error) return error
  const { message } = (error ?? {}) as { message?: unknown }
  if (typeof message === 'string' && message) return message
  try {
    return JSON.stringify(error) ?? String(error)
  } catch {
    return String(error)
  }
}
