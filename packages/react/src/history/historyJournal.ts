import type { Journal } from '@interleave/core/journal'
import type { QueryClient } from '@tanstack/react-query'
import { forgetLogs } from './forgetLogs.ts'
import { nameKey, nameOf } from './journalName.ts'
import { refreshHistory } from './refreshHistory.ts'
import { watchHistory } from './watchHistory.ts'

export interface HistoryJournalOptions {
  /**
   * Under which its lists and logs are cached; `default` by default. Journals of one client need names of their own, such as the
   * id of the user whose runs they have: what is cached of one is shown for another of the same name. The same runs need the same
   * name wherever a cache comes from, be it an earlier visit or the server.
   */
  readonly name?: string
}

/**
 * A journal that keeps the lists true: they are read again when a run begins, pauses, continues or is deleted. If the journal has
 * `watch`, as `indexedDbJournal` and `remoteJournal` do, that is so for other tabs, workers and servers too. Use it everywhere in
 * place of the journal itself.
 *
 * @example
 * const journal = historyJournal(indexedDbJournal(), queryClient)
 */
export function historyJournal<J extends Journal>(
  journal: J,
  client: QueryClient,
  { name = nameOf(journal) }: HistoryJournalOptions = {},
): J {
  const watch = watchHistory(client, journal, name)
  const refresh = (): void => {
    if (!watch.isActive()) void refreshHistory(client, name)
  }
  const isNews = newsFilter()
  const own: Pick<Journal, 'append' | 'delete'> = {
    append(...args) {
      const kept = journal.append(...args)
      return isNews(...args) ? afterwards(kept, refresh) : kept
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

/**
 * Creates a filter that returns true if a list looks different after these events. An observation changes a list only
 * if the run was waiting.
 */
function newsFilter(): (...args: Parameters<Journal['append']>) => boolean {
  const waiting = new Set<string>()
  return (runId, events) => {
    const was = waiting.has(runId)
    const rested = events.findLast(({ type }) => type === 'rested')
    if (rested?.type === 'rested' && rested.signal.type === 'inputNeeded') waiting.add(runId)
    else if (rested || events.some(({ type }) => wakes.has(type))) waiting.delete(runId)
    return was || rested !== undefined || events.some(({ type }) => begins.has(type))
  }
}

const wakes: ReadonlySet<string> = new Set(['observed', 'replied', 'withdrawn', 'resumed'])
const begins: ReadonlySet<string> = new Set(['started', 'said', 'replied', 'withdrawn', 'resumed'])

/** Calls back after a write. A synchronous write stays synchronous. */
function afterwards(done: void | PromiseLike<void>, then: () => void): void | PromiseLike<void> {
  if (done) return done.then(then)
  then()
}
