import type { Journal } from '@interleave/core/journal'
import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isDevelopment } from '../isDevelopment.ts'
import { nameOf } from './journalName.ts'

/** The last journal shown under each name. */
const shown = new WeakMap<QueryClient, Map<string, WeakRef<Journal>>>()

/** Warns, in development, of journals of one client that have one name: the lists of one are then shown for those of the other. */
export function useOwnName(client: QueryClient, journal: Journal | undefined): void {
  useEffect(() => {
    if (!journal || !isDevelopment()) return
    const name = nameOf(journal)
    const known = shown.get(client) ?? new Map<string, WeakRef<Journal>>()
    shown.set(client, known)
    const other = known.get(name)?.deref()
    known.set(name, new WeakRef(journal))
    if (other && other !== journal) warn(name)
  }, [client, journal])
}

function warn(name: string): void {
  console.warn(
    `useHistory() shows two journals that are both called "${name}", so their lists are mixed. Name them: historyJournal(journal, queryClient, { name }).`,
  )
}
