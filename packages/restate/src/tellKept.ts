import type { Journal } from '@interleave/core/journal'
import type { LiveHub } from './liveHub.ts'

/** Tells what is kept as soon as it is. */
export function tellKept(journal: Required<Journal>, tell: LiveHub['tell'] | undefined): Required<Journal> {
  if (!tell) return journal
  return {
    ...journal,
    async append(runId, events, options) {
      await journal.append(runId, events, options)
      tell(runId, { kept: events })
    },
  }
}
