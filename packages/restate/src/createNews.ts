import type { Host } from '@interleave/core'

/** Says that there is something new. */
export interface News {
  /** The number of notifications. */
  readonly count: number
  ring(): void
  /** Resolves when it is said, or after so many milliseconds; at once, if it was said more often than `heard`. */
  next(ms: number, given: { readonly host: Pick<Host, 'timer'>; readonly heard?: number }): Promise<void>
}

export function createNews(): News {
  let count = 0
  let wake = (): void => {}
  return {
    get count() {
      return count
    },
    ring() {
      count++
      wake()
    },
    next: (ms, { host, heard = count }) =>
      new Promise((resolve) => {
        if (count > heard) return resolve()
        const cancel = host.timer(ms, resolve)
        wake = () => {
          cancel()
          resolve()
        }
      }),
  }
}
