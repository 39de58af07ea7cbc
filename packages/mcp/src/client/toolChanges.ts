import { pause, retryDelay } from '@interleave/connect/internal'
import { localHost } from '@interleave/core'
import { readThrown } from '@interleave/core/internal'
import type { Message } from './rpc.ts'

interface Following {
  /** Opens the stream of the server's notifications. Resolves when it ends; rejects if there is none. */
  readonly open: (signal: AbortSignal, onMessage: (message: Message) => void) => Promise<void>
  /** Called with an object for each stream that the server has confirmed, and without one when it is over. */
  readonly onStream: (stream: object | undefined) => void
  readonly onChange: () => void
  /** Called if the server has no such stream. */
  readonly onRefused: () => void
  readonly signal: AbortSignal
}

/** Listens for changes of a server's tools until the signal aborts. Reopens a broken stream, with growing delays. */
export async function followChanges({ open, onStream, onChange, onRefused, signal }: Following): Promise<void> {
  for (let attempt = 0; !signal.aborted; attempt++) {
    try {
      await open(signal, ({ method }) => {
        if (method === acknowledged) {
          attempt = 0
          onStream({})
        } else if (method === 'notifications/tools/list_changed') onChange()
      })
    } catch (error) {
      if (!signal.aborted && isRefusal(error)) return onRefused()
    } finally {
      onStream(undefined)
    }
    if (!signal.aborted) await pause(localHost, retryDelay(Math.min(attempt, mostDoublings), localHost), signal)
  }
}

const mostDoublings = 20
/** The first message of a stream. In the era of 2025 there is none, so the client writes it. */
export const acknowledged = 'notifications/subscriptions/acknowledged'

/** Returns true if the server does not support such a stream, or denies it. Repeating the request would not help. */
const isRefusal = (error: unknown): boolean =>
  readThrown(
    error,
    ({ status, rpcCode }) =>
      (typeof status === 'number' && status >= 400 && status < 500 && status !== 408 && status !== 429) ||
      rpcCode === methodNotFound ||
      rpcCode === invalidParams,
    false,
  )
const methodNotFound = -32601
const invalidParams = -32602
