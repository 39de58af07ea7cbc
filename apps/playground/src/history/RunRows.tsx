import { AgentError } from '@interleave/core'
import { historyKeys, historyOptions } from '@interleave/react/history'
import { plainText } from '@interleave/react/untrusted'
import { type UseInfiniteQueryResult, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, Suspense, useEffect, useMemo, useState } from 'react'
import { later } from '../parts/later.tsx'
import { RenderBoundary } from '../parts/RenderBoundary.tsx'
import { usePage, usePlayground } from '../run/usePlayground.ts'
import { isServed, places, servedPlaces } from '../workers/Place.ts'
import { RunRow } from './RunRow.tsx'
import { RunSkeleton } from './RunSkeleton.tsx'
import { findRows, isFiltered, type ListedRun, noFilter, type RunFilter, toRows } from './rows.ts'

/** One journal of the runs here and on servers, opened when it is first read. */
const name = 'every run'

/** The time between reads of the runs on servers, which send no notifications. */
const lookMs = 10_000
const isAtWork = ({ place = 'page', signal }: ListedRun): boolean => isServed(place) && signal === undefined

/** The stored runs, newest first, a page at a time. Reads them again when one starts, settles, is added or removed. */
function useRuns(): UseInfiniteQueryResult<readonly ListedRun[]> {
  const { browse } = usePlayground()
  const changes = usePage((page) => page.changes)
  const isLost = usePage(({ reach }) => servedPlaces.some((place) => reach[place].isLost))
  const client = useQueryClient()

  useEffect(() => {
    if (changes > 0) void client.invalidateQueries({ queryKey: historyKeys.lists(name) })
  }, [client, changes])

  return useInfiniteQuery({
    ...historyOptions({ journal: browse, name }),
    refetchInterval: ({ state }) => (isLost || state.data?.pages.flat().some(isAtWork) ? lookMs : false),
  })
}

const none: Readonly<Record<string, unknown>> = {}

/** Returns the damage of the newest runs, by their ids. It reads their logs, so it runs once a visit. */
function useDamaged(isAsked: boolean): Readonly<Record<string, unknown>> {
  const { openStorage } = usePlayground()
  const { data } = useQuery({
    queryKey: ['damaged'],
    enabled: isAsked,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const [{ inspectRuns }, { journal }] = await Promise.all([import('@interleave/core/journal'), openStorage()])
      const runs = await inspectRuns(journal, { limit: 30 })
      return Object.fromEntries(
        runs.flatMap(({ runId, damage }) => (damage ? [[runId, new AgentError(damage.code, damage.message)]] : [])),
      )
    },
  })
  return data ?? none
}

// A short list needs no filter.
const long = 8
const RunFilters = later(async () => (await import('./RunFilters.tsx')).RunFilters)

/**
 * The runs that fit a query and a filter, newest first. If there are few, older ones are read until there are no more.
 * Tab focuses the run that is shown, and the arrow keys move from there.
 */
export function RunRows({ query }: { query: string }) {
  const { data: runs = noRuns, error, isPending, hasNextPage, fetchNextPage, isFetchingNextPage } = useRuns()
  const [chosen, setChosen] = useState(noFilter)
  const filter: RunFilter = { ...chosen, query }
  const conversations = usePage((page) => page.conversations)
  const marks = usePage((page) => page.marks)
  const failures = usePage((page) => page.failures)
  const shown = usePage((page) => page.shown)
  const reach = usePage((page) => page.reach)
  const lost = servedPlaces.filter((place) => reach[place].isLost)
  const damaged = useDamaged(runs.length > 0)
  const all = useMemo(
    () => toRows(runs, { conversations, marks }, { ...damaged, ...failures }),
    [runs, conversations, marks, damaged, failures],
  )
  const rows = findRows(all, filter)
  const isSearching = isFiltered(filter) && hasNextPage && !error && rows.length < enough
  useEffect(() => {
    if (isSearching && !isFetchingNextPage) void fetchNextPage()
  }, [isSearching, isFetchingNextPage, fetchNextPage])
  const inTabOrder = rows.find(({ runId }) => runId === shown) ?? rows[0]
  return (
    <>
      {(all.length >= long || isFiltered(chosen)) && (
        <Suspense fallback={<div className="run-filters-place" />}>
          <RunFilters rows={all} filter={filter} onFilter={setChosen} />
        </Suspense>
      )}
      {error && <Unread error={error} />}
      {isPending && all.length === 0 && <RunSkeleton />}
      {lost.map((place) => (
        <p key={place} className="runs-none">
          The runs {places[place]} cannot be listed now.
        </p>
      ))}
      {all.length === 0 && !isPending && !error && lost.length === 0 && <NoRuns />}
      <p role="status" className="runs-none">
        {isSearching ? 'Searching older runs …' : all.length > 0 && rows.length === 0 && noneWords(filter)}
      </p>
      <ul onKeyDown={(event: KeyboardEvent<HTMLElement>) => walkLinks(event)} aria-label="Runs of this browser">
        {rows.map((row) => (
          <RenderBoundary key={row.runId} name="This run" of={row}>
            <RunRow row={row} isShown={row.runId === shown} isInTabOrder={row === inTabOrder} />
          </RenderBoundary>
        ))}
      </ul>
      {hasNextPage && (
        <button type="button" className="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? 'Reading …' : 'Show older runs'}
        </button>
      )}
    </>
  )
}

const noRuns: readonly ListedRun[] = []
/** Runs that a search finds before it stops to read older ones. */
const enough = 30
const noneWords = ({ query, ...chosen }: RunFilter): string =>
  `No run ${query.trim() && `has “${query.trim()}”`}${isFiltered({ ...chosen, query: '' }) ? ' with this agent and state' : ''}.`

/** A message may contain a long address. */
const Unread = ({ error }: { error: Error }) => (
  <div role="alert" className="runs-unread">
    <p>The list of runs could not be read. Load the page again.</p>
    <details>
      <summary>Raw error</summary>
      <code>{plainText(error.message).slice(0, 500)}</code>
    </details>
  </div>
)

const NoRuns = () => (
  <div className="runs-empty">
    <h2>No runs yet</h2>
    {useIsFleeting() ? (
      <p>This browser stores nothing for this page: runs last only while it is open.</p>
    ) : (
      <>
        <p>Ask an agent something, and its run is listed here.</p>
        <ul>
          <li>Runs are stored in this browser, and continue after a reload.</li>
          <li>Several work at once, also while you look at another one.</li>
          <li>Drop the file of a run here to open it.</li>
        </ul>
      </>
    )}
  </div>
)

/** Returns true if this browser stores nothing for the page. */
function useIsFleeting(): boolean {
  const { openStorage } = usePlayground()
  const { data = false } = useQuery({
    queryKey: ['fleeting'],
    queryFn: async () => (await openStorage()).isFleeting,
    networkMode: 'always',
  })
  return data
}

/** Moves the focus between the links of a list with the arrow keys, Home and End. */
function walkLinks(event: KeyboardEvent<HTMLElement>): void {
  if (!(event.target instanceof HTMLAnchorElement)) return
  const links = [...event.currentTarget.querySelectorAll<HTMLAnchorElement>(':scope > li > a')]
  const at = links.indexOf(event.target)
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[event.key]
  if (next === undefined) return
  event.preventDefault()
  links[Math.max(0, Math.min(next, links.length - 1))]?.focus()
}
