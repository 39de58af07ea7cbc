import type { Host } from '@interleave/core'

/** Lets so many milliseconds pass. */
export const pause = (ms: number, host: Pick<Host, 'timer'>): Promise<void> =>
  new Promise((resolve) => void host.timer(ms, resolve))

export interface WithinOptions {
  readonly ms: number
  readonly host: Pick<Host, 'timer'>
  /** Aborts the wait. */
  readonly signal?: AbortSignal | undefined
  /** Creates the error of a timeout. */
  readonly late: (why: string) => Error
}

/**
 * Returns a promise's result within this many milliseconds. After that, or when aborted, it rejects, and the result is
 * ignored.
 */
export async function within<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { ms, host, signal: outer, late }: WithinOptions,
): Promise<T> {
  const controller = new AbortController()
  let giveUp = (_why: unknown): void => {}
  const ended = new Promise<never>((_, reject) => {
    giveUp = (why) => {
      reject(why)
      controller.abort(why)
    }
  })
  ended.catch(() => {})
  const abort = (): void => giveUp(outer?.reason)
  outer?.addEventListener('abort', abort)
  if (outer?.aborted) abort()
  const cancel = host.timer(ms, () => giveUp(late(`it does not answer within ${ms / 1_000} seconds`)))
  try {
    return await Promise.race([ended, work(controller.signal)])
  } finally {
    cancel()
    outer?.removeEventListener('abort', abort)
  }
}
