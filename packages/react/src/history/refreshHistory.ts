import type { QueryClient } from '@tanstack/react-query'
import { historyKeys } from './historyKeys.ts'
import type { JournalOrName } from './journalName.ts'

/**
 * Has everything of the history of a journal read anew. What is being read for the first time may have missed the news, and
 * invalidating it would leave it at that.
 */
export async function refreshHistory(client: QueryClient, journal: JournalOrName): Promise<void> {
  const queryKey = historyKeys.journal(journal)
  await client.cancelQueries({ queryKey, predicate: ({ state }) => state.data === undefined })
  await client.invalidateQueries({ queryKey })
}
