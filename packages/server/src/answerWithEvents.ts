import type { Host } from '@interleave/core'

export interface StreamOptions {
  readonly host: Pick<Host, 'timer'>
  /** Milliseconds until it ends. */
  readonly lastsMs: number
  /** Aborts when the stream has no reader any more. */
  readonly signal: AbortSignal
  readonly onEnd: () => void
}

const eventHeaders: HeadersInit = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
}

/** Responds with a stream of events, as texts that are generated on demand. */
export const answerWithEvents = (
  texts: AsyncGenerator<string, void>,
  { headers = eventHeaders, ...options }: StreamOptions & { readonly headers?: HeadersInit },
): Response => new Response(openStream(texts, options), { headers })

/** Creates a stream of bytes from texts that are generated on demand. */
function openStream(texts: AsyncGenerator<string, void>, options: StreamOptions): ReadableStream<Uint8Array> {
  const { host, lastsMs, signal, onEnd } = options
  const encoder = new TextEncoder()
  let close = (): void => {}
  let isOver = false
  const end = (): void => {
    if (isOver) return
    isOver = true
    cancelTimer()
    signal.removeEventListener('abort', end)
    close()
    onEnd()
  }
  const cancelTimer = host.timer(lastsMs, end)
  signal.addEventListener('abort', end)

  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        close = () => {
          try {
            controller.close()
          } catch {
            // The reader has closed it.
          }
        }
      },
      async pull(controller) {
        try {
          const { done, value } = await texts.next()
          if (isOver) return
          if (done) end()
          else controller.enqueue(encoder.encode(value))
        } catch (error) {
          controller.error(error)
          end()
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
  if (signal.aborted) end()
  return stream
}
