import type { Journal } from '@interleave/core/journal'
import type { QueryClient } from '@tanstack/react-query'
import { refreshHistory } from './refreshHistory.ts'

/**
 * A journal that keeps the lists true: they are read anew when a run of this page begins, is spoken to, rests or is deleted,
 * whoever does it. Use it everywhere in place of the journal itself.
 *
 * @example
 * const journal = historyJournal(indexedDbJournal(), queryClient)
 */
export function historyJournal<J extends Journal>(journal: J, client: QueryClient): J {
  const refresh = (): void => void refreshHistory(client)
  return {
    ...journal,
    append(...args: Parameters<Journal['append']>) {
      const [, events] = args
      const isNews = events.some(({ type }) => type === 'started' || type === 'said' || type === 'rested')
      const kept = journal.append(...args)
      return isNews ? afterwards(kept, refresh) : kept
    },
    delete: (runId: string) => afterwards(journal.delete(runId), refresh),
  }
}

/** What is done at once stays done at once. */
function afterwards(done: void | PromiseLike<void>, then: () => void): void | PromiseLike<void> {
  if (done) return done.then(then)
  then()
}
