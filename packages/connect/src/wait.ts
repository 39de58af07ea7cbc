import { type Host, localHost } from '@interleave/core'

export interface WaitOptions<Late> {
  /** Milliseconds after which the wait ends with the result or error of `onTimeout`. */
  readonly ms?: number
  readonly onTimeout?: () => Late
  /** Ends the wait when it aborts, with its reason. */
  readonly signal?: AbortSignal | undefined
  readonly host?: Pick<Host, 'timer'>
}

/** Waits for a promise no longer than `ms`, and only until the signal aborts. Leaves no timer and no listener. */
export async function until<T, Late = never>(
  work: PromiseLike<T> | ((signal: AbortSignal) => PromiseLike<T>),
  { ms = Number.POSITIVE_INFINITY, onTimeout, signal, host = localHost }: WaitOptions<Late>,
): Promise<T | Late> {
  const own = typeof work === 'function' ? new AbortController() : undefined
  let release = (): void => {}
  const end = new Promise<Late>((resolve, reject) => {
    const fail = (why: unknown): void => {
      reject(why)
      own?.abort(why)
    }
    const abort = (): void => fail(signal?.reason)
    const expire = (): void => {
      try {
        if (!onTimeout) throw timeoutError(ms)
        resolve(onTimeout())
        own?.abort(timeoutError(ms))
      } catch (error) {
        fail(error)
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
    return await Promise.race([end, own && typeof work === 'function' ? work(own.signal) : (work as PromiseLike<T>)])
  } finally {
    release()
  }
}

/** Waits `ms`, but no longer than until the device is online again or the signal aborts. */
export async function pause(host: Pick<Host, 'timer'>, ms: number, signal?: AbortSignal): Promise<void> {
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

/** Wakes one waiter. A notification without a waiter is for the next one. */
export class Notifier {
  readonly #host: Pick<Host, 'timer'>
  #isNotified = false
  #wake = (): void => {}

  constructor(host: Pick<Host, 'timer'>) {
    this.#host = host
  }

  notify(): void {
    this.#isNotified = true
    this.#wake()
  }

  /** Resolves with true when it is notified, and with false after `ms` without a notification. */
  async next(ms: number): Promise<boolean> {
    if (!this.#isNotified) {
      const notified = new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      await until(notified, { ms, host: this.#host, onTimeout: () => {} })
    }
    const wasNotified = this.#isNotified
    this.#isNotified = false
    return wasNotified
  }
}

const timeoutError = (ms: number): TypeError => new TypeError(`No answer within ${ms} ms.`)

/**
 * Returns the milliseconds until the next attempt: longer each time, and different for clients that were disconnected
 * together.
 */
export const retryDelay = (attempt: number, host: Pick<Host, 'newId'>): number =>
  Math.min(longest, 250 * 2 ** attempt) * (0.5 + chance(host.newId()) / 2)

const longest = 10_000

/** Returns a number from 0 to 1, from a random id. */
function chance(id: string): number {
  let hash = 0
  for (let i = 0; i < id.length; i++) hash = (Math.imul(hash, 31) + id.charCodeAt(i)) >>> 0
  return hash / 2 ** 32
}

/** Returns the milliseconds since a time: a positive number even if the clock was set back. */
export const elapsedMs = (since: number, now: number): number => Math.abs(now - since)
