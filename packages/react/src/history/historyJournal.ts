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
  const own: Pick<Journal, 'append' | 'delete'> = {
    append(...args) {
      const [, events] = args
      const isNews = events.some(({ type }) => type === 'started' || type === 'said' || type === 'rested')
      const kept = journal.append(...args)
      return isNews ? afterwards(kept, refresh) : kept
    },
    delete: (runId) => afterwards(journal.delete(runId), refresh),
  }
  // A copy alone would be without the methods of a class, which need their object too.
  return new Proxy(
    { ...journal },
    {
      get(_, name) {
        if (name === 'append' || name === 'delete') return own[name]
        const member: unknown = Reflect.get(journal, name)
        return typeof member === 'function' ? member.bind(journal) : member
      },
      has: (_, name) => name in journal,
    },
  )
}

/** What is done at once stays done at once. */
function afterwards(done: void | PromiseLike<void>, then: () => void): void | PromiseLike<void> {
  if (done) return done.then(then)
  then()
}
