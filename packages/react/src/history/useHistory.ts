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
import { isNamed, nameOf } from './historyKeys.ts'
import { type HistoryOptions, historyOptions } from './historyOptions.ts'

export interface UseHistoryOptions extends StartDefaults, Pick<HistoryOptions, 'below' | 'pageSize'> {}

export interface History<Output = unknown> extends HistoryActions<Output> {
  /** Those that are read so far, newest first. */
  readonly runs: readonly RunSummary[]
  readonly isLoading: boolean
  readonly error: Error | null
  /** There are more than were read. */
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
  /** Reads the next page. */
  readonly loadMore: () => void
}

/**
 * The runs of an agent that are kept, and what can be done with them. The journal is that of the nearest `ReActProvider`, unless
 * the options name another one. The functions never change.
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
  const using = useLatest({ client, agent, options })
  const [actions] = useState(() => createHistoryActions<Output>(() => using.current))
  useOwnName(client, options.journal)
  const { journal } = options
  useEffect(() => {
    // A `historyJournal` does so itself.
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

/** Warns, in development, of journals of one client that have one name: the lists of one are then shown for those of the other. */
function useOwnName(client: QueryClient, journal: Journal | undefined): void {
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
