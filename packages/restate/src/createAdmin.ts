import { AgentError } from '@interleave/core'
import { messageOf } from '@interleave/core/place'
import type { IngressOptions } from './ingress.ts'

export interface AdminOptions extends Pick<IngressOptions, 'headers' | 'fetch'> {
  readonly admin: string
}

/** What Restate says of itself: its admin API. */
export interface Admin {
  /** Rows of its tables, as they come: who asks looks at what is in them. */
  query(sql: string): Promise<readonly Row[]>
  /** Lets an invocation go on, with what was deployed last. */
  resume(invocation: string): Promise<void>
}
export type Row = Readonly<Record<string, unknown>>

export function createAdmin({
  admin,
  headers = {},
  fetch = (url, init) => globalThis.fetch(url, init),
}: AdminOptions): Admin {
  const base = admin.replace(/\/+$/, '')
  const ask = async (path: string, init: RequestInit): Promise<string> => {
    const response = await fetch(`${base}${path}`, init).catch((cause: unknown) => {
      throw failed(`cannot be reached: ${messageOf(cause)}`, { cause })
    })
    const text = await response.text()
    if (response.ok) return text
    throw failed(`refuses ${path}: ${response.status} ${text.slice(0, 500)}`, { status: response.status })
  }
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
      // One that never came to a process is not bound to what was deployed then, and is refused with a choice.
      await resume('?deployment=latest').catch(() => resume(''))
    },
  }
}

function rowsOf(text: string): readonly Row[] {
  const { rows } = Object(parse(text)) as { readonly rows?: unknown }
  if (!Array.isArray(rows) || !rows.every((row) => typeof row === 'object' && row !== null))
    throw failed('gives no rows')
  return rows as readonly Row[]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const failed = (why: string, options: { readonly cause?: unknown; readonly status?: number } = {}): AgentError =>
  new AgentError('remote_failed', `The admin API of Restate ${why}`, { ...options, retryable: true })

/** A text in a query. */
export const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`
