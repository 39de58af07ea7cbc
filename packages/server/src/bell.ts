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
