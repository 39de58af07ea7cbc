import type { NodeRequest } from './toRequest.ts'

/** The time for which a connection stays open after its answer, and the bytes that it reads meanwhile. */
const limits = { ms: 2_000, bytes: 67_108_864 }

/**
 * Drops what a client still sends after it has its whole answer, until it ends or a limit is reached. A connection that
 * closes with unread bytes is reset, and a client that is still sending loses the answer with it (RFC 9112, section 9.6).
 */
export function lingered(request: NodeRequest, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0
    const end = (): void => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(end, limits.ms)
    request.on('data', (chunk) => {
      bytes += chunk.length
      if (bytes > limits.bytes) end()
    })
    request.on('end', end)
    request.on('close', end)
    signal.addEventListener('abort', end)
    if (signal.aborted || request.readableEnded) end()
  })
}
