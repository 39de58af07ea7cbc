import type { QueryClient } from '@tanstack/react-query'
import { historyKeys } from './historyKeys.ts'
import type { JournalOrName } from './journalName.ts'

/**
 * Refreshes all queries of a journal. Cancels first loads, which may have missed the change, so that they restart too.
 */
export async function refreshHistory(client: QueryClient, journal: JournalOrName): Promise<void> {
  const queryKey = historyKeys.journal(journal)
  await client.cancelQueries({ queryKey, predicate: ({ state }) => state.data === undefined })
  await client.invalidateQueries({ queryKey })
}
