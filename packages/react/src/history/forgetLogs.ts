import type { QueryClient } from '@tanstack/react-query'
import { historyKeys } from './historyKeys.ts'
import type { JournalOrName } from './journalName.ts'

/** Lets go of the logs of a run that is deleted, and of those below it: nothing of them stays where the cache is persisted. */
export function forgetLogs(client: QueryClient, journal: JournalOrName, runId: string): void {
  const isOfIt = (id: unknown): boolean => id === runId || String(id).startsWith(`${runId}/`)
  client.removeQueries({
    queryKey: [...historyKeys.journal(journal), 'log'],
    // Who shows one reads it anew, and finds nothing.
    type: 'inactive',
    predicate: ({ queryKey }) => isOfIt(queryKey.at(-1)),
  })
}
