'use client'

import type { AgentHandle } from '@interleave/core'
import type { Journal, RunSummary } from '@interleave/core/journal'
import { type QueryClient, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLatest } from '../effects.ts'
import { isDevelopment } from '../isDevelopment.ts'
import { type StartDefaults, useStartDefaults } from '../ReActProvider.tsx'
import { createHistoryActions, type HistoryActions, missingJournal } from './historyActions.ts'
import { watchHistory } from './historyJournal.ts'
import { type HistoryOptions, historyOptions, isNamed, nameOf } from './historyOptions.ts'

export interface UseHistoryOptions extends StartDefaults, Pick<HistoryOptions, 'below' | 'pageSize'> {}

export interface History<Output = unknown> extends HistoryActions<Output> {
  /** The runs that are loaded so far, newest first. */
  readonly runs: readonly RunSummary[]
  readonly isLoading: boolean
  readonly error: Error | null
  /** True if more pages can be loaded. */
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
  /** Loads the next page. */
  readonly loadMore: () => void
}

/**
 * Returns the persisted runs of an agent, and actions on them. The journal is that of the nearest `ReActProvider`, or of
 * the options; throws without one. Needs a `QueryClientProvider`. The functions of the actions never change identity.
 *
 * @example
 * const { runs, remove } = useHistory(planner)
 * return runs.map(({ runId, title }) => <button key={runId} onClick={() => remove(runId)}>Delete {title}</button>)
 */
export function useHistory<Output>(
  agent: AgentHandle<Output>,
  { below, pageSize, ...own }: UseHistoryOptions = {},
): History<Output> {
  const client = useQueryClient()
  const options = { ...useStartDefaults(), ...own }
  const context = useLatest({ client, agent, options })
  const [actions] = useState(() => createHistoryActions<Output>(() => context.current))
  useNameWarning(client, options.journal)
  const { journal } = options
  useEffect(() => {
    // A `historyJournal` watches itself.
    if (journal && !isNamed(journal)) return watchHistory(client, journal, nameOf(journal)).end
  }, [client, journal])
  const query = useInfiniteQuery(
    historyOptions({
      journal: options.journal ?? missingJournal,
      agent: agent.name,
      below,
      ...(pageSize !== undefined && { pageSize }),
    }),
  )
  const { data: runs = noRuns, isPending: isLoading, error, fetchNextPage } = query
  return {
    runs,
    isLoading,
    error,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void fetchNextPage(),
    ...actions,
  }
}

const noRuns: readonly RunSummary[] = []

/** The last journal shown under each name. */
const shown = new WeakMap<QueryClient, Map<string, WeakRef<Journal>>>()

/** Warns in development if two journals of a client have the same name, which mixes their lists. */
function useNameWarning(client: QueryClient, journal: Journal | undefined): void {
  useEffect(() => {
    if (!journal || !isDevelopment()) return
    const name = nameOf(journal)
    const known = shown.get(client) ?? new Map<string, WeakRef<Journal>>()
    shown.set(client, known)
    const other = known.get(name)?.deref()
    known.set(name, new WeakRef(journal))
    if (!other || other === journal) return
    console.warn(
      `useHistory() shows two journals with the name "${name}", so their lists are mixed. Give each a name: historyJournal(journal, queryClient, { name }).`,
    )
  }, [client, journal])
}
