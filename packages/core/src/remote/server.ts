import { AgentError, type ErrorCode, fromFailure, messageOf } from '../error.ts'
import { failure } from '../eventShape.ts'
import type { Host } from '../host.ts'
import { backoff } from './backoff.ts'
import { pause } from './pause.ts'

/** Sent with every request; a function is asked each time, so that it can give a fresh token. */
export type RemoteHeaders = Readonly<Record<string, string>> | (() => GivenHeaders | PromiseLike<GivenHeaders>)
type GivenHeaders = Readonly<Record<string, string>>

/** The server, as far as it is asked and answers. */
export interface Server {
  /** Asks once. Throws an `AgentError` for what is no success. */
  open(path: string, options: Asking): Promise<Response>
  /** Asks until there is an answer, or for half a minute: only for what may be asked twice. Gives the JSON of it. */
  call(path: string, options: Asking): Promise<unknown>
}

export interface Asking {
  readonly method?: 'GET' | 'POST'
  readonly body?: unknown
  readonly accept?: string
  readonly signal: AbortSignal
  /** It did not come through, and is tried again in so many milliseconds. */
  readonly onPause?: (ms: number, error: unknown) => void
}

export interface ServerOptions {
  readonly url: string
  readonly headers: RemoteHeaders
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly host: Pick<Host, 'timer' | 'newId'>
}

/** Milliseconds that one request may take. */
const patience = 30_000
const attempts = 8

export function createServer({ url, headers, fetch, host }: ServerOptions): Server {
  const base = url.replace(/\/+$/, '')

  const open = async (path: string, { method = 'GET', body, accept, signal }: Asking): Promise<Response> => {
    const given = typeof headers === 'function' ? await headers() : headers
    const response = await reach(() =>
      fetch(`${base}/v1/${path}`, {
        method,
        signal,
        cache: 'no-store',
        headers: {
          accept: accept ?? 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...given,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    )
    if (!response.ok) throw await problemOf(response)
    return response
  }
  const callOnce = async (path: string, asking: Asking): Promise<unknown> => {
    const late = new AbortController()
    const cancel = host.timer(patience, () => late.abort())
    try {
      const response = await open(path, { ...asking, signal: AbortSignal.any([asking.signal, late.signal]) })
      return await reach(() => response.json())
    } finally {
      cancel()
    }
  }
  return {
    open,
    async call(path, asking) {
      for (let attempt = 0; ; attempt++) {
        try {
          return await callOnce(path, asking)
        } catch (error) {
          if (asking.signal.aborted) throw asking.signal.reason
          if (!mayPass(error) || attempt === attempts) throw error
          const ms = backoff(attempt, host)
          asking.onPause?.(ms, error)
          await pause(host, ms, asking.signal)
        }
      }
    },
  }
}

/** Whether the same may be answered otherwise later. */
export const mayPass = (error: unknown): boolean => (error as Partial<AgentError>).retryable === true

/** What goes wrong on the way to a server and back. Browsers do not say what it is. */
async function reach<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    throw new AgentError('remote_failed', `The server cannot be reached: ${messageOf(cause)}.`, {
      cause,
      retryable: true,
    })
  }
}

async function problemOf(response: Response): Promise<AgentError> {
  const { status } = response
  const problem: unknown = await response.json().catch(() => undefined)
  const { code, detail, retryable } = (problem ?? {}) as { code?: unknown; detail?: unknown; retryable?: unknown }
  if (failure({ code, message: detail }) !== undefined) {
    // It is not the handler that answers, but something on the way to it.
    const passes = status >= 500 || status === 408 || status === 429
    return new AgentError('remote_failed', `The server answered with status ${status}.`, { retryable: passes, status })
  }
  const passes = retryable === true || status >= 500
  return fromFailure({ code: code as ErrorCode, message: detail as string, retryable: passes, status })
}
