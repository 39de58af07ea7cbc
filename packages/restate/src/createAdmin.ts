import { until } from '@interleave/connect/internal'
import { AgentError, type Host, isAgentError } from '@interleave/core'
import { jsonIn, messageOf } from '@interleave/core/internal'
import type { IngressOptions } from './ingress.ts'

export interface AdminOptions extends Pick<IngressOptions, 'headers' | 'fetch'> {
  readonly admin: string
  readonly host: Pick<Host, 'timer'>
}

/** Restate's admin API. */
export interface Admin {
  /** Returns rows of its tables. The caller validates them. */
  query(sql: string): Promise<readonly Row[]>
  /** Resumes an invocation, with the latest deployment. */
  resume(invocation: string): Promise<void>
  /** Ends an invocation in any state. */
  kill(invocation: string): Promise<void>
}
export type Row = Readonly<Record<string, unknown>>

/** The timeout of a query, which may go through the state of very many runs. */
const longestMs = 30_000

export function createAdmin({
  admin,
  headers = {},
  fetch = (url, init) => globalThis.fetch(url, init),
  host,
}: AdminOptions): Admin {
  const base = admin.replace(/(?<!\/)\/+$/, '')
  const send = async (path: string, init: RequestInit): Promise<string> => {
    const response = await fetch(`${base}${path}`, init)
    const text = await response.text()
    if (response.ok) return text
    throw failed(`refuses ${path}: ${response.status} ${text.slice(0, 500)}`, { status: response.status })
  }
  const unreachable = (why: string, options?: { readonly cause: unknown }): AgentError =>
    failed(`cannot be reached at ${base}: ${why}`, options)
  const onTimeout = (): never => {
    throw unreachable(`it does not answer within ${longestMs / 1_000} seconds`)
  }
  const ask = (path: string, init: RequestInit): Promise<string> =>
    until((signal) => send(path, { ...init, signal }), { ms: longestMs, host, onTimeout }).catch((cause: unknown) => {
      throw isAgentError(cause) ? cause : unreachable(messageOf(cause), { cause })
    })
  return {
    async query(query) {
      const text = await ask('/query', {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ query }),
      })
      return rowsOf(text)
    },
    async resume(invocation) {
      const path = `/invocations/${encodeURIComponent(invocation)}/resume`
      const resume = (query: string): Promise<string> => ask(`${path}${query}`, { method: 'PATCH', headers })
      // An invocation that never reached a process is not bound to a deployment, and Restate rejects a choice for it.
      await resume('?deployment=latest').catch(() => resume(''))
    },
    async kill(invocation) {
      await ask(`/invocations/${encodeURIComponent(invocation)}/kill`, { method: 'PATCH', headers })
    },
  }
}

function rowsOf(text: string): readonly Row[] {
  const { rows } = Object(jsonIn(text)) as { readonly rows?: unknown }
  if (!Array.isArray(rows) || !rows.every((row) => typeof row === 'object' && row !== null))
    throw failed('returned no list of rows')
  return rows as readonly Row[]
}

const failed = (why: string, options: { readonly cause?: unknown; readonly status?: number } = {}): AgentError =>
  new AgentError('remote_failed', `The admin API of Restate ${why}`, { ...options, retryable: true })

/** Quotes a string for a query. */
export const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`
