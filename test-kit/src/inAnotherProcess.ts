import type { Journal } from '@interleave/core/journal'

/** Returns a journal as another process has it, which shares its runs' logs and knows nothing of the runs alive here. */
export const inAnotherProcess = <J extends Journal>(journal: J): J => ({ ...journal, identity: undefined })
