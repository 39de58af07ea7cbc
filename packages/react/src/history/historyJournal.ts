import type { Journal } from '@interleave/core/journal'
import type { QueryClient } from '@tanstack/react-query'
import { forgetLogs } from './forgetLogs.ts'
import { nameKey, nameOf } from './journalName.ts'
import { refreshHistory } from './refreshHistory.ts'

export interface HistoryJournalOptions {
  /**
   * Under which its lists and logs are cached; `default` by default. Journals of one client need names of their own, such as the
   * id of the user whose runs they have: what is cached of one is shown for another of the same name. The same runs need the same
   * name wherever a cache comes from, be it an earlier visit or the server.
   */
  readonly name?: string
}

/**
 * A journal that keeps the lists true: they are read anew when a run of this page begins, is spoken to, rests or is deleted,
 * whoever does it. Use it everywhere in place of the journal itself.
 *
 * @example
 * const journal = historyJournal(indexedDbJournal(), queryClient)
 */
export function historyJournal<J extends Journal>(
  journal: J,
  client: QueryClient,
  { name = nameOf(journal) }: HistoryJournalOptions = {},
): J {
  const refresh = (): void => void refreshHistory(client, name)
  const own: Pick<Journal, 'append' | 'delete'> = {
    append(...args) {
      const [, events] = args
      const isNews = events.some(({ type }) => type === 'started' || type === 'said' || type === 'rested')
      const kept = journal.append(...args)
      return isNews ? afterwards(kept, refresh) : kept
    },
    delete: (runId) =>
      afterwards(journal.delete(runId), () => {
        forgetLogs(client, name, runId)
        refresh()
      }),
  }
  // A copy alone would be without the methods of a class, which need their object too.
  return new Proxy(
    { ...journal, [nameKey]: name },
    {
      get(_, key) {
        if (key === nameKey) return name
        if (key === 'append' || key === 'delete') return own[key]
        const member: unknown = Reflect.get(journal, key)
        return typeof member === 'function' ? member.bind(journal) : member
      },
      has: (_, key) => key in journal,
    },
  )
}

/** What is done at once stays done at once. */
function afterwards(done: void | PromiseLike<void>, then: () => void): void | PromiseLike<void> {
  if (done) return done.then(then)
  then()
}
