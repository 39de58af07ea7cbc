import type { Journal, WatchableJournal } from '@interleave/core/journal'
import type { QueryClient } from '@tanstack/react-query'
import { historyKeys } from './historyKeys.ts'
import { refreshHistory } from './refreshHistory.ts'

export interface HistoryWatch {
  /** True while the journal reports changes. */
  isActive(): boolean
  end(): void
}

/**
 * Has the lists and logs of a journal read again when others change them: other tabs, workers, a server. The journal is watched
 * only while something of it is shown.
 */
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
  const look = (): void => {
    const isShown = cache.findAll({ queryKey, type: 'active' }).length > 0
    if (!isShown) stop()
    else if (!endWatch) {
      endWatch = journal.watch(refresh)
      // What changed while nobody watched. What is being read is read after that.
      void client.invalidateQueries({ queryKey }, { cancelRefetch: false })
    }
  }
  const leave = cache.subscribe(({ type, query }) => {
    const isOurs = queryKey.every((part, index) => query.queryKey[index] === part)
    if (isOurs && (type === 'observerAdded' || type === 'observerRemoved')) look()
  })
  look()
  return {
    isActive: () => endWatch !== undefined,
    end() {
      leave()
      stop()
    },
  }
}

const isWatchable = (journal: Journal): journal is WatchableJournal => 'watch' in journal

/** Does something again that was asked for while it was being done, once. */
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
