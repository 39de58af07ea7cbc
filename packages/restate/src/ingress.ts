import { AgentError, type Host } from '@interleave/core'
import { messageOf } from '@interleave/core/place'
import { pause } from './pause.ts'

/** Where Restate is asked for something, and how. */
export interface IngressOptions {
  /** The address of Restate's ingress, such as `http://localhost:8080`. */
  readonly ingress: string
  /** For instance what says who asks. */
  readonly headers?: Readonly<Record<string, string>>
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

export interface Call {
  readonly service: string
  /** The run. */
  readonly key: string
  readonly handler: string
  readonly input?: unknown
  readonly signal?: AbortSignal
}

/** Calls handlers of virtual objects. Where Restate cannot be reached it asks again, for `patience` milliseconds. */
export type Ingress = (call: Call) => Promise<unknown>

export interface PatientOptions extends IngressOptions {
  readonly host: Pick<Host, 'now' | 'timer'>
  readonly patience: number
}

export function createIngress({
  ingress,
  headers = {},
  fetch = (url, init) => globalThis.fetch(url, init),
  host,
  patience,
}: PatientOptions): Ingress {
  const base = ingress.replace(/\/+$/, '')
  const once = async ({ service, key, handler, input, signal }: Call): Promise<Answer> => {
    const response = await fetch(`${base}/${service}/${encodeURIComponent(key)}/${handler}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(input ?? null),
      ...(signal && { signal }),
    })
    const text = await response.text()
    if (response.ok) return { value: text === '' ? null : (JSON.parse(text) as unknown) }
    const mayPass = response.status === 429 || response.status >= 500 || response.status === 404
    return {
      error: new AgentError('remote_failed', `Restate refuses ${service}/${handler}: ${response.status} ${text}`, {
        retryable: mayPass,
      }),
    }
  }
  return async (call) => {
    const end = host.now() + patience
    for (let ms = 25; ; ms = Math.min(ms * 2, 1_000)) {
      call.signal?.throwIfAborted()
      const { value, error } = await once(call).catch((thrown: unknown): Answer => ({ error: unreachable(thrown) }))
      call.signal?.throwIfAborted()
      if (!error) return value
      if (!error.retryable || host.now() + ms > end) throw error
      await pause(ms, host)
    }
  }
}

interface Answer {
  readonly value?: unknown
  readonly error?: AgentError
}

const unreachable = (cause: unknown): AgentError =>
  new AgentError('remote_failed', `Restate cannot be reached: ${messageOf(cause)}`, { cause, retryable: true })
