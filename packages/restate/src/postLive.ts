import { pause, retryDelay, until } from '@interleave/connect/internal'
import { AgentError, type Host, localHost } from '@interleave/core'
import { assertOption, checkOptions, messageOf } from '@interleave/core/internal'
import type { LiveHub } from './liveHub.ts'
import { reporting } from './reporting.ts'

export interface PostLiveOptions {
  /** The address of a `hubHandler()`. Of several addresses, each receives everything, independently. */
  url: string | readonly string[]
  /** The secret of the `hubHandler()`. */
  secret: string
  headers?: Readonly<Record<string, string>>
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** The maximum of queued characters per address; 4,000,000 by default. Beyond it, all queued messages are dropped. */
  maxChars?: number
  /** Called with the reason why a post failed. It is sent again, unless the hub rejects its content. */
  onFault?: (error: AgentError) => void
  host?: Pick<Host, 'newId' | 'timer'>
}

/**
 * Sends live events from workers to hubs in other processes, for `restateHost({ onLive })`: in order, in batches, and
 * without blocking runs. Without a receiver, the events are dropped.
 *
 * @example
 * restateHost({ sdk, agents, ingress, onLive: postLive({ url: 'https://pages.internal/hub', secret: env.HUB_SECRET }) })
 */
export function postLive(options: PostLiveOptions): LiveHub['publish'] {
  checkOptions('postLive()', options, ['url', 'secret', 'headers', 'fetch', 'maxChars', 'onFault', 'host'])
  const {
    url,
    secret,
    headers = {},
    fetch = (address, init) => globalThis.fetch(address, init),
    maxChars = 4_000_000,
    onFault = () => {},
    host = localHost,
  } = options
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
      const text = await response.text()
      if (!response.ok) throw refused(address, response.status, text)
    }
    return new Outbox({ from, post, maxChars, onFault: reporting(onFault), host })
  })
  return (run, message) => {
    const text = JSON.stringify({ run, ...message })
    for (const outbox of outboxes) outbox.addMessage(text)
  }
}

const refused = (url: string, status: number, text: string): AgentError =>
  new AgentError('remote_failed', `The hub at ${url} answers ${status}: ${text.slice(0, 200)}`, {
    status,
    // An invalid post stays invalid.
    retryable: status !== 400 && status !== 413,
  })

interface OutboxOptions {
  /** The sending process. */
  readonly from: string
  /** Rejects if a post did not arrive, or is rejected. */
  readonly post: (body: string, signal: AbortSignal) => Promise<void>
  readonly maxChars: number
  readonly onFault: (error: AgentError) => void
  readonly host: Pick<Host, 'newId' | 'timer'>
}

/** Messages within this many milliseconds are sent together. */
const gatherMs = 10
/** The number of characters beyond which further messages wait for the next post. */
const postChars = 1_000_000
const postMs = 10_000

/** Sends messages in order, one at a time, numbered so that the receiver detects duplicates and gaps. */
class Outbox {
  readonly #options: OutboxOptions
  readonly #waiting: string[] = []
  #chars = 0
  /** The number of the first queued message. */
  #first = 0
  #isSending = false

  constructor(options: OutboxOptions) {
    this.#options = options
  }

  /** Queues a message, as JSON. */
  addMessage(message: string): void {
    this.#waiting.push(message)
    this.#chars += message.length
    if (this.#chars > this.#options.maxChars) this.#drop(this.#waiting.length)
    if (!this.#isSending) void this.#send()
  }

  async #send(): Promise<void> {
    const { host } = this.#options
    this.#isSending = true
    for (let attempt = 0; this.#waiting.length > 0; ) {
      await pause(host, gatherMs)
      const wasSent = await this.#sendNext()
      if (!wasSent) await pause(host, retryDelay(attempt, host))
      attempt = wasSent ? 0 : attempt + 1
    }
    this.#isSending = false
  }

  /** Sends one request. Returns false if it has to be sent again. */
  async #sendNext(): Promise<boolean> {
    const { from, post, onFault, host } = this.#options
    const batch = upTo(postChars, this.#waiting)
    const end = this.#first + batch.length
    const body = `{"from":${JSON.stringify(from)},"first":${this.#first},"messages":[${batch}]}`
    try {
      await until((signal) => post(body, signal), { ms: postMs, host })
    } catch (error) {
      const fault = error instanceof AgentError ? error : unreachable(error)
      onFault(fault)
      if (fault.retryable) return false
    }
    // Some may have been dropped meanwhile.
    this.#drop(Math.max(0, end - this.#first))
    return true
  }

  #drop(count: number): void {
    for (const message of this.#waiting.splice(0, count)) this.#chars -= message.length
    this.#first += count
  }
}

function upTo(most: number, waiting: readonly string[]): readonly string[] {
  let chars = 0
  const end = waiting.findIndex((message, index) => {
    chars += message.length
    return index > 0 && chars > most
  })
  return end < 0 ? [...waiting] : waiting.slice(0, end)
}

const unreachable = (cause: unknown): AgentError =>
  new AgentError('remote_failed', `The hub cannot be reached: ${messageOf(cause)}`, {
    cause,
    retryable: true,
  })
