/** Every way in which something can go wrong. Closed, so that a `switch` over it is complete. */
export type ErrorCode =
  | 'agent_mismatch'
  | 'answer_invalid'
  | 'answer_missing'
  | 'approval_changed'
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
  | 'tools_unavailable'
  | 'worker_failed'

/** An error as plain JSON: what events, signals and the wire carry. */
export interface Failure {
  readonly code: ErrorCode
  /** For developers. A server sends users the sentence of `userMessageOf()` instead. */
  readonly message: string
  /** True if the same call may succeed later. */
  readonly retryable: boolean
  /** The HTTP status of the model's server, where there was one. */
  readonly status?: number
  /** For users, where the app has more to say to them than the code: they read it as it is. */
  readonly userMessage?: string
}

/** The page of docs about all codes. Each installed copy has it. */
const errorsPage = '@interleave/core/docs/errors.md'

interface AgentErrorOptions {
  cause?: unknown
  retryable?: boolean
  status?: number | undefined
  /** For users, who read it as it is. They never read the message. */
  userMessage?: string | undefined
}

/** The only error class. Check `name` and `code`: a page may contain frames and several copies of it. */
export class AgentError extends Error {
  override readonly name = 'AgentError'
  readonly code: ErrorCode
  readonly retryable: boolean
  readonly status: number | undefined
  readonly userMessage: string | undefined

  /** Without a `message`, as in production, the error has its code and the page about it. */
  constructor(code: ErrorCode, message: string | false, options: AgentErrorOptions = {}) {
    const { cause, retryable = false, status, userMessage } = options
    super(message === false ? `${code} (see ${errorsPage})` : message, cause === undefined ? undefined : { cause })
    this.code = code
    this.retryable = retryable
    this.status = status
    this.userMessage = userMessage
  }
}

/** Returns the result of `read` for a thrown value, or `otherwise` if it cannot be read, such as a revoked proxy. */
export function readThrown<T>(
  thrown: unknown,
  read: (members: Readonly<Partial<Record<string, unknown>>>) => T,
  otherwise: T,
): T {
  try {
    return read((thrown ?? {}) as Partial<Record<string, unknown>>)
  } catch {
    return otherwise
  }
}

/** Returns true for our errors, also from another frame or another copy of this package with its own class. */
export const isAgentError = (error: unknown): error is AgentError =>
  readThrown(error, ({ name, code }) => isError(error) && name === 'AgentError' && typeof code === 'string', false)

const isError = (value: unknown): value is Error => Object.prototype.toString.call(value) === '[object Error]'

/** Converts any thrown value to plain JSON, also one that cannot be read. Foreign errors get `code`. */
export const toFailure = (error: unknown, code: ErrorCode): Failure =>
  readThrown(error, () => failureOf(error, code), { code, message: unreadable, retryable: false })

const unreadable = 'The thrown value cannot be read.'

function failureOf(error: unknown, otherwise: ErrorCode): Failure {
  const { code, retryable, isRetryable, status, statusCode, userMessage } = (error ?? {}) as Partial<
    Record<string, unknown>
  >
  const isOurs = isAgentError(error)
  const number = isOurs ? status : statusCode
  return {
    code: isOurs ? (code as ErrorCode) : otherwise,
    message: isOurs && error.message === '' ? '' : withServerMessage(error),
    retryable: (isOurs ? retryable : isRetryable) === true,
    ...(Number.isFinite(number) && { status: number as number }),
    ...(isOurs && typeof userMessage === 'string' && userMessage && { userMessage }),
  }
}

/** Returns the error of a failure, as a remote client may see it. */
export const fromFailure = ({ code, message, ...options }: Failure): AgentError =>
  new AgentError(code, message, options)

function withServerMessage(error: unknown): string {
  const [message, written] = [messageOf(error), serverMessage(error)]
  return written === undefined || message.includes(written) ? message : `${message}: ${written}`.slice(0, maxMessage)
}

/** The maximum length of a message, in characters. */
const maxMessage = 65_536

/** Returns the text of any thrown value, never empty. */
export const messageOf = (error: unknown): string =>
  readThrown(error, ({ message, name }) => wordsOf(error, message, name).slice(0, maxMessage), unreadable)

function wordsOf(error: unknown, message: unknown, name: unknown): string {
  if (error === undefined || error === null) return 'It failed without a reason.'
  if (typeof error === 'string' && error) return error
  if (typeof message === 'string' && message) return message
  if (isError(error) && typeof name === 'string' && name) return name
  if (typeof error === 'bigint') return String(error)
  return briefJson(error) ?? String(error)
}

/** Returns the beginning of a value as JSON. It reads a limited number of members and characters. */
function briefJson(value: unknown): string | undefined {
  let left = maxMessage
  return JSON.stringify(value, (key, member: unknown) => {
    left -= key.length + 4
    if (left < -maxMessage) throw new RangeError('It is too large.')
    if (left < 0) return undefined
    if (typeof member === 'bigint') return String(member)
    if (Array.isArray(member)) return member.slice(0, left / 8)
    if (ArrayBuffer.isView(member)) return '[bytes]'
    if (typeof member !== 'string') return member
    const text = member.slice(0, left)
    left -= text.length
    return text
  })
}

/** Reads a server's error text, since servers seldom describe errors in the format of the provider they imitate. */
function serverMessage(error: unknown): string | undefined {
  const { responseBody } = (error ?? {}) as { responseBody?: unknown }
  if (typeof responseBody !== 'string' || responseBody.length > 65_536) return undefined
  try {
    return messageIn(JSON.parse(responseBody))
  } catch {
    return undefined
  }
}

function messageIn(body: unknown): string | undefined {
  if (typeof body === 'string') return body || undefined
  if (!body || typeof body !== 'object') return undefined
  const { message, error, detail } = body as Partial<Record<string, unknown>>
  return [message, detail].find((text): text is string => typeof text === 'string' && text !== '') ?? messageIn(error)
}

/** Converts an error from inside a stream, which may be of any shape. A provider's own error object keeps its flags. */
export function asModelError(error: unknown): unknown {
  const message = messageOf(error)
  return readThrown<unknown>(
    error,
    ({ status, code }) => {
      if (error instanceof Error) return error
      const number = typeof status === 'number' ? status : typeof code === 'number' ? code : undefined
      const retryable =
        number === undefined ? /overload|rate|timeout|unavailable/i.test(message) : isRetryableStatus(number)
      return new AgentError('model_failed', message, { cause: error, retryable, status: number })
    },
    new AgentError('model_failed', message),
  )
}

/**
 * Matches the messages of browsers, Node, Bun, Deno, Workers and the AI SDK for a request without a response, or a
 * response that broke off.
 */
export const isUnreachable = (message: string): boolean =>
  /failed to fetch(?! dynamic)|(?:fetch|load) failed|network ?(?:error|connection)|(?:cannot|unable to) connect|econnrefused|enotfound|error (?:in (?:input|body) stream|sending request|reading a body)|^terminated$/i.test(
    message,
  )

const isRetryableStatus = (status: number): boolean =>
  status === 408 || status === 409 || status === 429 || status >= 500

export const malformed = (what: string): AgentError => new AgentError('model_malformed', `The model sent ${what}.`)

/**
 * Returns true if the code that threw it says that the same work may succeed later: by a retryable `AgentError`, or by
 * `isRetryable`, as errors of the AI SDK do. Any other exception may be a defect. A full journal needs a user.
 */
export const mayPass = (thrown: unknown): boolean =>
  readThrown(
    thrown,
    ({ code, retryable, isRetryable }) =>
      (isAgentError(thrown) ? retryable : isRetryable) === true && code !== 'journal_full',
    false,
  )

/** Marks an exception of a store as one that may pass. */
export const passing = <E>(error: E): E => Object.assign(Object(error), { isRetryable: true })

/** Returns true if another owner took over the run. */
export const isConflict = (error: unknown): boolean => isAgentError(error) && error.code === 'journal_conflict'

/** The rules of docs/architecture.md that are checked at run time. */
type Invariant = 'I1' | 'I2' | 'I9'

/** Throws `invariant_broken` if a basic rule does not hold. It ends the run, and nothing else happens. */
export function invariant(holds: unknown, rule: Invariant, broken: string): asserts holds {
  if (holds) return
  const error = new AgentError('invariant_broken', `${rule} is broken: ${broken}`)
  breaches.add(error)
  throw error
}

/** The errors of this code's own checks. A tool may throw one of another run that looks the same. */
const breaches = new WeakSet<object>()

export const isInvariantBroken = (error: unknown): boolean => breaches.has(Object(error))

/** Reports a listener's exception, which must not end the run, and must not be silent either. */
export function reportLater(error: unknown): void {
  queueMicrotask(() => {
    if (typeof reportError === 'function') reportError(error)
    else console.error(error)
  })
}

/** Returns the result of an app's function. If it throws, reports that and returns undefined. */
export function quietly<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    reportLater(error)
  }
  return undefined
}

/** Reports the rejection of an async listener. Node would exit at an unhandled one. */
export function reportRejection(returned: unknown): void {
  if (returned instanceof Promise) returned.catch(reportLater)
}
