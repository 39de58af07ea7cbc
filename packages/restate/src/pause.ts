import type { Host } from '@interleave/core'

/** Lets so many milliseconds pass. */
export const pause = (ms: number, host: Pick<Host, 'timer'>): Promise<void> =>
  new Promise((resolve) => void host.timer(ms, resolve))
