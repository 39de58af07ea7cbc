import type { Host } from '@interleave/core'
import { localHost } from '@interleave/core'

export interface WaitOptions<Late> {
  /** Ends the wait with what `onTimeout` returns or throws. */
  readonly ms?: number
  readonly onTimeout?: () => Late
  /** Rejects with its reason. */
  readonly signal?: AbortSignal | undefined
  readonly host?: Pick<Host, 'timer'>
}

/** Waits for a promise, but no longer than `ms`, and only until the signal aborts. Leaves no timer and no listener behind. */
export async function until<T, Late = never>(
  promise: PromiseLike<T>,
  { ms = Number.POSITIVE_INFINITY, onTimeout, signal, host = localHost }: WaitOptions<Late>,
): Promise<T | Late> {
  let release = (): void => {}
  const end = new Promise<Late>((resolve, reject) => {
    const abort = (): void => reject(signal?.reason)
    const expire = (): void => {
      try {
        if (onTimeout) resolve(onTimeout())
        else reject(timeoutError(ms))
      } catch (error) {
        reject(error)
      }
    }
    const cancel = ms === Number.POSITIVE_INFINITY ? undefined : host.timer(ms, expire)
    release = () => {
      cancel?.()
      signal?.removeEventListener('abort', abort)
    }
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort)
  })
  try {
    return await Promise.race([promise, end])
  } finally {
    release()
  }
}

/** Waits `ms`, but no longer than until the device is online again or the signal aborts. */
export async function pause(host: Pick<Host, 'timer'>, ms: number, signal: AbortSignal): Promise<void> {
  const over = new AbortController()
  const online = new Promise<void>((resolve) => {
    if (typeof addEventListener === 'function') addEventListener('online', () => resolve(), { signal: over.signal })
  })
  try {
    await until(online, { host, ms, signal, onTimeout: () => {} })
  } catch {
    // The signal was aborted.
  } finally {
    over.abort()
  }
}

const timeoutError = (ms: number): TypeError => new TypeError(`No answer within ${ms} ms.`)
