import type { Host } from '@interleave/core'

/** Says that something was asked. */
export interface News {
  ring(): void
  /** Resolves when something is asked, or after so many milliseconds. */
  next(ms: number, host: Pick<Host, 'timer'>): Promise<void>
}

export function createNews(): News {
  let ring = (): void => {}
  return {
    ring: () => ring(),
    next: (ms, host) =>
      new Promise((resolve) => {
        const cancel = host.timer(ms, resolve)
        ring = () => {
          cancel()
          resolve()
        }
      }),
  }
}
