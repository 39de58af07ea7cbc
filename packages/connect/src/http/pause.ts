import type { Host } from '@interleave/core'

/** Waits, but no longer than until the device is online again or the signal aborts. */
export function pause(host: Pick<Host, 'timer'>, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController()
    const done = (): void => {
      cancel()
      over.abort()
      resolve()
    }
    const cancel = host.timer(ms, done)
    if (signal.aborted) return done()
    signal.addEventListener('abort', done, { signal: over.signal })
    if (typeof addEventListener === 'function') addEventListener('online', done, { signal: over.signal })
  })
}
