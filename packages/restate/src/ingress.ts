import { pause, until } from '@interleave/connect/internal'
import { AgentError, type Host, isAgentError } from '@interleave/core'
import { messageOf } from '@interleave/core/internal'
import { type Answer, asDone, asInboxState, asLogView } from './answers.ts'
import type { InboxState } from './inboxObject.ts'
import type { ServiceNames } from './sdk.ts'
import type { CommandResult } from './sentCommand.ts'

/** The address of Restate, and the headers of its requests. */
export interface IngressOptions {
  /** The address of Restate's ingress, such as `http://localhost:8080`. */
  readonly ingress: string
  /** Request headers, for example for authentication. */
  readonly headers?: Readonly<Record<string, string>>
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

/** A handler of a virtual object. */
export interface Target {
  readonly service: string
  /** The id of the run. */
  readonly key: string
  readonly handler: string
}

export interface Call<T = unknown> {
  readonly to: Target
  readonly input?: unknown
  /** Validates the response. */
  readonly answer: Answer<T>
  readonly signal?: AbortSignal
  /** Milliseconds that an attempt may take; 10,000 by default, since most calls return at once. */
  readonly ms?: number
  /** Overrides the option of the ingress. */
  readonly retryForMs?: number
  /** Called from time to time with the reason why there is no response yet. */
  readonly onFault?: (error: AgentError) => void
}

/** Calls handlers of virtual objects. Without a valid response it repeats the call, for `retryForMs` milliseconds. */
export type Ingress = <T>(call: Call<T>) => Promise<T>

export interface RetryingOptions extends IngressOptions {
  readonly host: Pick<Host, 'now' | 'timer'>
  readonly retryForMs: number
}

const quickMs = 10_000
/** The status with which a proxy reports a server that does not respond in time. */
const lateStatus = 504
/** Milliseconds without a response after which it is reported. */
const faultMs = 10_000

export function createIngress({
  ingress,
  headers = {},
  fetch = (url, init) => globalThis.fetch(url, init),
  ...options
}: RetryingOptions): Ingress {
  const { host } = options
  const base = ingress.replace(/(?<!\/)\/+$/, '')
  const post = async ({ to: { service, key, handler }, input }: Call, signal: AbortSignal): Promise<Posted> => {
    const response = await fetch(`${base}/${service}/${encodeURIComponent(key)}/${handler}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(input ?? null),
      signal,
    })
    return { response, text: await response.text() }
  }
  const once = async <T>(call: Call<T>): Promise<T> => {
    const { ms = quickMs, signal } = call
    const onTimeout = (): never => {
      throw unreachable({ base, why: `it does not answer within ${ms / 1_000} seconds`, status: lateStatus })
    }
    const { response, text } = await until((ends) => post(call, ends), { ms, host, signal, onTimeout }).catch(
      (cause: unknown) => {
        throw isAgentError(cause) ? cause : unreachable({ base, why: messageOf(cause), cause })
      },
    )
    if (!response.ok) throw refused(call, { response, text })
    try {
      return call.answer(text === '' ? null : JSON.parse(text))
    } catch (error) {
      throw unusable(call, { base, error, text })
    }
  }
  return async (call) => {
    const { retryForMs = options.retryForMs, signal, onFault } = call
    const began = host.now()
    let reportedAt = began
    for (let ms = 25; ; ms = Math.min(ms * 2, 1_000)) {
      signal?.throwIfAborted()
      try {
        return await once(call)
      } catch (error) {
        signal?.throwIfAborted()
        const now = host.now()
        if (!isRetryable(error) || now + ms > began + retryForMs) throw error
        if (now >= reportedAt + faultMs) {
          reportedAt = now
          onFault?.(error)
        }
      }
      await pause(host, ms, signal)
    }
  }
}

/** The timeout of a long call, below the usual limit of connections without traffic. */
const longMs = 50_000

/** Wraps an ingress so that it repeats slow calls while reads of the run succeed. The calls must be idempotent. */
export const untilDone =
  (ingress: Ingress): Ingress =>
  async (call) => {
    for (;;) {
      try {
        return await ingress({ ms: longMs, ...call })
      } catch (error) {
        if (!isLate(error)) throw error
      }
      await ingress({ ...call, to: { ...call.to, handler: 'look' }, input: 0, answer: asLogView })
    }
  }

/** Returns true for a timeout, of this client or of a proxy. */
export const isLate = (error: unknown): boolean => isAgentError(error) && (error.status === 504 || error.status === 524)

interface Posted {
  readonly response: Pick<Response, 'ok' | 'status'>
  readonly text: string
}

const isRetryable = (error: unknown): error is AgentError => isAgentError(error) && error.retryable

const nameOf = ({ to: { service, handler } }: Call): string => `${service}/${handler}`

/** Creates the error of a rejected request. After a deployment, a move or an overload, a retry may succeed. */
const refused = (call: Call, { response: { status }, text }: Posted): AgentError =>
  new AgentError('remote_failed', `Restate refuses ${nameOf(call)}: ${status} ${text.slice(0, 500)}`, {
    retryable: status === 429 || status >= 500 || status === 404,
    status,
  })

interface Unusable {
  readonly base: string
  readonly error: unknown
  readonly text: string
}

const unusable = (call: Call, { base, error, text }: Unusable): AgentError => {
  const why = error instanceof SyntaxError ? `no JSON: ${JSON.stringify(text.slice(0, 80))}` : messageOf(error)
  return new AgentError(
    'remote_failed',
    `The response to ${nameOf(call)} is not Restate's: ${why}. Check that ${base} is its ingress, that nothing in front of it answers instead, and that all processes have the same version.`,
    { cause: error, retryable: true },
  )
}

interface Unreachable {
  readonly base: string
  readonly why: string
  readonly cause?: unknown
  readonly status?: number
}

const unreachable = ({ base, why, ...options }: Unreachable): AgentError =>
  new AgentError(
    'remote_failed',
    `Restate cannot be reached at ${base}: ${why}. See that it runs, that this is its ingress, and that it is not overloaded.`,
    { ...options, retryable: true },
  )

/** Sends requests to the inbox of one run. */
export class Inbox {
  readonly #ingress: Ingress
  readonly #own: Pick<Target, 'service' | 'key'>

  constructor(ingress: Ingress, { names, runId }: { readonly names: ServiceNames; readonly runId: string }) {
    this.#ingress = ingress
    this.#own = { service: names.inbox, key: runId }
  }

  take(): Promise<InboxState> {
    return this.#ingress({ to: { ...this.#own, handler: 'take' }, answer: asInboxState })
  }

  /** Records that the run executes here from now on. Rejects soon if Restate has no capacity for that. */
  enter(attempt: string): Promise<InboxState> {
    const soon = { ms: enterMs, retryForMs: enterMs }
    return this.#ingress({ to: { ...this.#own, handler: 'enter' }, input: attempt, answer: asInboxState, ...soon })
  }

  async done(id: string, result: CommandResult): Promise<void> {
    await this.#ingress({ to: { ...this.#own, handler: 'done' }, input: { id, result }, answer: asDone })
  }
}

/** Milliseconds without a response after which Restate counts as having no capacity. */
const enterMs = 2_000
