import { checkOptions, checkStore, decorateJournal } from '@interleave/core/internal'
import type { Journal, WatchableJournal } from '@interleave/core/journal'
import type { QueryClient } from '@tanstack/react-query'
import { historyKeys, type JournalOrName, nameKey, nameOf } from './historyOptions.ts'

export interface HistoryJournalOptions {
  /**
   * The cache name of its lists and logs; `default` by default. Give each journal of a query client its own name, such as
   * the user's id: journals with the same name share a cache. Use the same name where a cache is persisted or prefetched.
   */
  readonly name?: string
}

/**
 * Wraps a journal so that lists refresh when a run starts, pauses, continues or is deleted. If the journal has `watch`, as
 * `indexedDbJournal` and `remoteJournal` do, changes of other tabs, workers and servers refresh them too. Use the returned
 * journal everywhere in place of the original.
 *
 * @example
 * const journal = historyJournal(indexedDbJournal(), queryClient)
 */
export function historyJournal<J extends Journal>(
  journal: J,
  client: QueryClient,
  options: HistoryJournalOptions = {},
): J {
  checkOptions('historyJournal()', options, ['name'])
  checkStore(journal, 'historyJournal()')
  const { name = nameOf(journal) } = options
  const watch = watchHistory(client, journal, name)
  const refresh = (): void => {
    if (!watch.isActive()) void refreshHistory(client, name)
  }
  const changesLists = changeFilter()
  return decorateJournal(journal, () => ({
    [nameKey]: name,
    append(...args) {
      const appended = journal.append(...args)
      return changesLists(...args) ? afterwards(appended, refresh) : appended
    },
    delete: (runId) =>
      afterwards(journal.delete(runId), () => {
        forgetLogs(client, name, runId)
        refresh()
      }),
  }))
}

/** Creates a filter that returns true if a list looks different after these events. */
function changeFilter(): (...args: Parameters<Journal['append']>) => boolean {
  const waiting = new Set<string>()
  return (runId, events) => {
    const was = waiting.has(runId)
    const settled = events.findLast(({ type }) => type === 'settled')
    if (settled?.type === 'settled' && settled.signal.type === 'inputNeeded') waiting.add(runId)
    else if (settled || events.some(({ type }) => wakes.has(type))) waiting.delete(runId)
    return was || settled !== undefined || events.some(({ type }) => begins.has(type))
  }
}

const wakes: ReadonlySet<string> = new Set(['observed', 'replied', 'permitted', 'withdrawn', 'resumed'])
const begins: ReadonlySet<string> = new Set(['started', 'said', 'replied', 'permitted', 'withdrawn', 'resumed'])

/** Calls back after a write. A synchronous write stays synchronous. */
function afterwards(done: void | PromiseLike<void>, then: () => void): void | PromiseLike<void> {
  if (done) return done.then(then)
  then()
}

interface HistoryWatch {
  /** True while the journal reports changes. */
  isActive(): boolean
  end(): void
}

/** Refreshes the lists and logs of a journal when they change elsewhere, while a query of it is active. */
export function watchHistory(client: QueryClient, journal: Journal, name: string): HistoryWatch {
  if (!isWatchable(journal)) return { isActive: () => false, end() {} }
  const cache = client.getQueryCache()
  const queryKey = historyKeys.journal(name)
  const refresh = oneAtATime(() => refreshHistory(client, name))
  let endWatch: (() => void) | undefined
  const stop = (): void => {
    endWatch?.()
    endWatch = undefined
  }
  const update = (): void => {
    const isShown = cache.findAll({ queryKey, type: 'active' }).length > 0
    if (!isShown) stop()
    else if (!endWatch) {
      endWatch = journal.watch(refresh)
      // Something may have changed before. A query that is loading now is already newer.
      void client.invalidateQueries({ queryKey }, { cancelRefetch: false })
    }
  }
  const unsubscribe = cache.subscribe(({ type, query }) => {
    const isOurs = queryKey.every((part, index) => query.queryKey[index] === part)
    if (isOurs && (type === 'observerAdded' || type === 'observerRemoved')) update()
  })
  update()
  return {
    isActive: () => endWatch !== undefined,
    end() {
      unsubscribe()
      stop()
    },
  }
}

const isWatchable = (journal: Journal): journal is WatchableJournal => 'watch' in journal

/** Runs a task one at a time. Calls during a run cause one more. */
function oneAtATime(task: () => Promise<void>): () => void {
  let isBusy = false
  let isDue = false
  return async function run(): Promise<void> {
    isDue = true
    if (isBusy) return
    isBusy = true
    while (isDue) {
      isDue = false
      await task().catch(() => {})
    }
    isBusy = false
  }
}

/** Refreshes all queries of a journal. Cancels first loads, which may have missed the change. */
export async function refreshHistory(client: QueryClient, journal: JournalOrName): Promise<void> {
  const queryKey = historyKeys.journal(journal)
  await client.cancelQueries({ queryKey, predicate: ({ state }) => state.data === undefined })
  await client.invalidateQueries({ queryKey })
}

/** Removes the logs of a deleted run and its child runs, so that a persisted cache does not contain them. */
export function forgetLogs(client: QueryClient, journal: JournalOrName, runId: string): void {
  const isDeleted = (id: unknown): boolean => id === runId || String(id).startsWith(`${runId}/`)
  client.removeQueries({
    queryKey: [...historyKeys.journal(journal), 'log'],
    // An active query reads it again and finds nothing.
    type: 'inactive',
    predicate: ({ queryKey }) => isDeleted(queryKey.at(-1)),
  })
}
