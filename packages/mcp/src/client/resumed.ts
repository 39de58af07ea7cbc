import { pause } from '@interleave/connect/internal'
import { AgentError, localHost } from '@interleave/core'
import { CutOff, drop, type Endpoint, isStream, messagesOf, send } from './exchange.ts'
import type { RequestOptions } from './mcpServer.ts'
import type { Message } from './rpc.ts'
import { StreamPosition } from './streamPosition.ts'

interface Resuming extends Pick<RequestOptions, 'signal' | 'whileUserActs'> {
  readonly to: Endpoint
  /** The headers of the session. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Yields the messages of a response of 2025. A server may end its stream on purpose and continue later, and a connection may
 * break: if the events have ids, the stream is opened again after the last one.
 */
export async function* resumedMessages(first: Response, resuming: Resuming): AsyncGenerator<Message, void> {
  const { signal } = resuming
  const position = new StreamPosition()
  let response = first
  for (let empty = 0; ; empty++) {
    try {
      for await (const message of messagesOf(response, signal, position)) {
        empty = 0
        yield message
      }
    } catch (error) {
      signal?.throwIfAborted()
      // The server sent something invalid.
      if (error instanceof AgentError || !position.isKnown) throw error
    }
    if (!position.isKnown) return
    response = await openAgain(position, empty, resuming)
  }
}

/** The failures in a row after which a stream is given up. */
const mostFailures = 8

async function openAgain(position: StreamPosition, empty: number, resuming: Resuming): Promise<Response> {
  const { to, signal, whileUserActs } = resuming
  for (let failures = 0; failures < mostFailures; failures++) {
    await pause(localHost, position.delayMs(empty + failures), signal)
    signal?.throwIfAborted()
    const headers = { ...resuming.headers, ...position.headers }
    const response = await send(to, { headers, signal, whileUserActs }).catch(() => undefined)
    signal?.throwIfAborted()
    if (response?.ok && isStream(response)) return response
    if (response) drop(response)
    if (response && isFinal(response.status)) break
  }
  throw new CutOff(undefined, to.url)
}

/** Returns true for the status of a stream that cannot be opened. 409: the server has not noticed that it was cut. */
export const isFinal = (status: number): boolean => status < 500 && ![408, 409, 425, 429].includes(status)
