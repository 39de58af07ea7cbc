import type { Host } from '@interleave/core'

/** Wakes one waiter. A notification without a waiter is delivered to the next one. */
export interface Bell {
  ring(): void
  /** Resolves at the next ring, and after so many milliseconds in any case. */
  wait(ms: number): Promise<void>
}

export function createBell(host: Pick<Host, 'timer'>): Bell {
  let isRung = false
  let wake: (() => void) | undefined
  return {
    ring() {
      isRung = true
      wake?.()
    },
    async wait(ms) {
      if (!isRung) {
        await new Promise<void>((resolve) => {
          const cancel = host.timer(ms, resolve)
          wake = () => {
            cancel()
            resolve()
          }
        })
      }
      wake = undefined
      isRung = false
    },
  }
}

export interface StreamOptions {
  readonly host: Pick<Host, 'timer'>
  /** Milliseconds until it ends. */
  readonly lastsMs: number
  /** Nobody reads any more. */
  readonly signal: AbortSignal
  readonly onEnd: () => void
}

/** Bytes of texts that are made when they are asked for, and not before. */
export function openStream(texts: AsyncGenerator<string, void>, options: StreamOptions): ReadableStream<Uint8Array> {
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
            // Whoever read it has closed it.
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
