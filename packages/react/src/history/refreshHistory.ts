import type { QueryClient } from '@tanstack/react-query'
import { historyKeys } from './historyKeys.ts'

/**
 * Has everything of the history read anew. What is being read for the first time may have missed the news, and invalidating it
 * would leave it at that.
 */
export async function refreshHistory(client: QueryClient): Promise<void> {
  const { all: queryKey } = historyKeys
  await client.cancelQueries({ queryKey, predicate: ({ state }) => state.data === undefined })
  await client.invalidateQueries({ queryKey })
}
