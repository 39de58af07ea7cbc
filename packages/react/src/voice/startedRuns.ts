import type { Run } from '@interleave/core'

const started = new WeakSet<Run>()

/** Notes that a user of this page waits for this run from its beginning. */
export const noteStarted = (run: Run): void => void started.add(run)

/** Returns true once for a run that was started here. A component that shows it later does not say its beginning again. */
export const takeStarted = (run: Run | undefined): boolean => run !== undefined && started.delete(run)
