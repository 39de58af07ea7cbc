import type { Run } from '@interleave/core'

const started = new WeakSet<Run>()

/** Notes that a user of this page waits for this run from its beginning. */
export const noteStarted = (run: Run): void => void started.add(run)

export const isStartedHere = (run: Run | undefined): boolean => run !== undefined && started.has(run)
