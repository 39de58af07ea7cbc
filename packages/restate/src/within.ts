import type { Host } from '@interleave/core'

export interface WithinOptions {
  readonly ms: number
  readonly host: Pick<Host, 'timer'>
  /** Aborted where nobody wants it any more. */
  readonly signal?: AbortSignal | undefined
  /** What is thrown then. */
  readonly late: (why: string) => Error
}

/** What comes within so many milliseconds. After them the work is aborted, and nobody waits for it, whatever it does about that. */
export async function within<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { ms, host, signal: outer, late }: WithinOptions,
): Promise<T> {
  const controller = new AbortController()
  const abort = (): void => controller.abort(outer?.reason)
  outer?.addEventListener('abort', abort)
  if (outer?.aborted) abort()
  let cancel = (): void => {}
  const tooLate = new Promise<never>((_, reject) => {
    cancel = host.timer(ms, () => {
      const error = late(`it does not answer within ${ms / 1_000} seconds`)
      reject(error)
      controller.abort(error)
    })
  })
  try {
    return await Promise.race([work(controller.signal), tooLate])
  } finally {
    cancel()
    outer?.removeEventListener('abort', abort)
  }
}
