import { AgentError, type Host } from '@interleave/core'
import { messageOf } from '@interleave/core/internal'
import { pause } from './pause.ts'
import { within } from './within.ts'

/** Queues a message, as JSON. Returns immediately. */
export type Outbox = (told: string) => void

export interface OutboxOptions {
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
export function createOutbox({ from, post, maxChars, onFault, host }: OutboxOptions): Outbox {
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
