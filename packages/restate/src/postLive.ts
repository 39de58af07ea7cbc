import { AgentError, type Host, localHost } from '@interleave/core'
import { assertOption, messageOf } from '@interleave/core/internal'

import type { LiveHub } from './liveHub.ts'
import { reporting } from './reporting.ts'

import { pause, within } from './within.ts'

export interface PostLiveOptions {
  /** The address of a `hubHandler()`. Of several addresses, each receives everything, independently. */
  url: string | readonly string[]
  /** As of the `hubHandler()`. */
  secret: string
  headers?: Readonly<Record<string, string>>
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** The maximum of queued characters per address; 4,000,000 by default. Beyond it, all queued messages are dropped. */
  maxChars?: number
  /** Hears why something could not be posted now. It is tried again, unless it was refused for what it is. */
  onFault?: (error: AgentError) => void
  host?: Pick<Host, 'newId' | 'timer'>
}

/**
 * Sends live events from workers to hubs in other processes, for `restateHost({ onLive })`. In order, in batches, and
 * without blocking runs; without a receiver they are dropped.
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
  assertOption(urls.length > 0 && urls.every(Boolean), 'postLive({ url }) needs the address of a hubHandler().')
  assertOption(secret, 'postLive({ secret }) needs the secret of the hubHandler().')
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

/** Queues a message, as JSON. Returns immediately. */
type Outbox = (told: string) => void

interface OutboxOptions {
  /** The sending process. */
  readonly from: string
  /** Rejects where a post did not arrive, or is refused. */
  readonly post: (body: string, signal: AbortSignal) => Promise<void>
  readonly maxChars: number
  readonly onFault: (error: AgentError) => void
  readonly host: Pick<Host, 'timer'>
}

/** Messages within this many milliseconds are sent together. */
const gatherMs = 10
/** Characters of a post, beyond which the next ones wait for another. */
const postChars = 1_000_000
const postMs = 10_000
const firstPauseMs = 250
const longestPauseMs = 5_000

/**
 * Sends messages in order, one request at a time. Each has a number, so that the receiver detects duplicates and gaps.
 */
function createOutbox({ from, post, maxChars, onFault, host }: OutboxOptions): Outbox {
  const waiting: string[] = []
  let chars = 0
  /** The number of the first one that waits. */
  let first = 0
  let isSending = false

  const take = (count: number): void => {
    for (const told of waiting.splice(0, count)) chars -= told.length
    first += count
  }
  const sendNext = async (): Promise<'sent' | 'failed'> => {
    const batch = upTo(postChars, waiting)
    const end = first + batch.length
    try {
      await within((signal) => post(`{"from":${JSON.stringify(from)},"first":${first},"told":[${batch}]}`, signal), {
        ms: postMs,
        host,
        late: (why) => unreachable(new Error(why)),
      })
    } catch (error) {
      const fault = error instanceof AgentError ? error : unreachable(error)
      onFault(fault)
      if (fault.retryable) return 'failed'
    }
    // Some may have been dropped meanwhile.
    take(Math.max(0, end - first))
    return 'sent'
  }
  const send = async (): Promise<void> => {
    isSending = true
    for (let pauseMs = firstPauseMs; waiting.length > 0; ) {
      await pause(gatherMs, host)
      if ((await sendNext()) === 'sent') pauseMs = firstPauseMs
      else {
        await pause(pauseMs, host)
        pauseMs = Math.min(pauseMs * 2, longestPauseMs)
      }
    }
    isSending = false
  }
  return (told) => {
    waiting.push(told)
    chars += told.length
    if (chars > maxChars) take(waiting.length)
    if (!isSending) void send()
  }
}

function upTo(most: number, waiting: readonly string[]): readonly string[] {
  let chars = 0
  const end = waiting.findIndex((told, index) => {
    chars += told.length
    return index > 0 && chars > most
  })
  return end < 0 ? [...waiting] : waiting.slice(0, end)
}

const unreachable = (cause: unknown): AgentError =>
  new AgentError('remote_failed', `The hub cannot be reached: ${messageOf(cause)}`, {
    cause,
    retryable: true,
  })
