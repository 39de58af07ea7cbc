import type { NodeResponse } from './nodeTypes.ts'

export interface SendOptions {
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal
  readonly hasBody: boolean
}

/** Sends a response, and reads its body no faster than the client does. Resolves when it is sent or the client is gone. */
export async function sendResponse(
  { status, headers, body }: Response,
  outgoing: NodeResponse,
  { signal, hasBody }: SendOptions,
): Promise<void> {
  const reader = hasBody ? body?.getReader() : undefined
  if (!hasBody) void body?.cancel().catch(() => {})
  let goOn = (): void => {}
  const onGone = (): void => {
    reader?.cancel().catch(() => {})
    goOn()
  }
  outgoing.on('drain', () => goOn())
  signal.addEventListener('abort', onGone)
  if (signal.aborted) return onGone()
  try {
    outgoing.writeHead(status, headersOf(headers))
    // The client of a stream learns at once that it is open.
    if (reader) outgoing.flushHeaders?.()
    while (reader && !signal.aborted) {
      const { done, value } = await reader.read()
      if (done || signal.aborted) break
      if (outgoing.write(value)) continue
      await new Promise<void>((resolve) => {
        goOn = resolve
        if (signal.aborted) resolve()
      })
    }
  } catch (error) {
    reader?.cancel(error).catch(() => {})
    throw error
  }
  if (!signal.aborted) outgoing.end()
}

/** Each cookie has a header of its own. */
function headersOf(headers: Headers): Record<string, string | string[]> {
  const cookies = headers.getSetCookie()
  return { ...Object.fromEntries(headers), ...(cookies.length > 0 && { 'set-cookie': cookies }) }
}
