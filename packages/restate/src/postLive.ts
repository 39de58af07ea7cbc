import { AgentError, type Host, localHost } from '@interleave/core'
import { demand } from '@interleave/core/internal'
import { createOutbox } from './createOutbox.ts'
import type { LiveHub } from './liveHub.ts'
import { reporting } from './reporting.ts'

export interface PostLiveOptions {
  /** Where a `hubHandler()` answers. Of several addresses, each is told everything, and none waits for another. */
  url: string | readonly string[]
  /** As of the `hubHandler()`. */
  secret: string
  headers?: Readonly<Record<string, string>>
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Characters that wait for an address at most; 4,000,000 by default. When there would be more, none of them is told. */
  maxChars?: number
  /** Hears why something could not be posted now. It is tried again, unless it was refused for what it is. */
  onFault?: (error: AgentError) => void
  host?: Pick<Host, 'newId' | 'timer'>
}

/**
 * Carries what is not kept from where runs work to hubs in other processes, for `restateHost({ onLive })`. In order, several at once, and
 * without holding anything up: where nobody is there, it is forgotten.
 *
 * @example
 * restateHost({ …, onLive: postLive({ url: 'https://pages.internal/hub', secret: env.HUB_SECRET }) })
 */
export function postLive({
  url,
  secret,
  headers = {},
  fetch = (address, init) => globalThis.fetch(address, init),
  maxChars = 4_000_000,
  onFault = () => {},
  host = localHost,
}: PostLiveOptions): LiveHub['tell'] {
  const urls = [url].flat()
  demand(urls.length > 0 && urls.every(Boolean), 'postLive({ url }) needs the address of a hubHandler().')
  demand(secret, 'postLive({ secret }) needs the secret of the hubHandler().')
  const from = host.newId()
  const outboxes = urls.map((address) => {
    const post = async (body: string, signal: AbortSignal): Promise<void> => {
      const response = await fetch(address, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body,
        signal,
      })
      const said = await response.text()
      if (!response.ok) throw refused(address, response.status, said)
    }
    return createOutbox({ from, post, maxChars, onFault: reporting(onFault), host })
  })
  return (run, told) => {
    const text = JSON.stringify({ run, ...told })
    for (const put of outboxes) put(text)
  }
}

const refused = (url: string, status: number, said: string): AgentError =>
  new AgentError('remote_failed', `The hub at ${url} answers ${status}: ${said.slice(0, 200)}`, {
    status,
    // What is wrong with a post itself stays wrong.
    retryable: status !== 400 && status !== 413,
  })
