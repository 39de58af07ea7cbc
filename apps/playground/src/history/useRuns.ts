import { historyKeys, historyOptions } from '@interleave/react/history'
import { type UseInfiniteQueryResult, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { usePage, usePlayground } from '../run/usePlayground.ts'
import { isServed, servedPlaces } from '../workers/Place.ts'
import type { ListedRun } from './rows.ts'

/** One journal of the runs here and on servers, opened when it is first read. */
const name = 'every run'

/** The time between reads of the runs on servers, which send no news. */
const lookMs = 10_000
const isAtWork = ({ place = 'page', rest }: ListedRun): boolean => isServed(place) && rest === undefined

/** The runs that are kept, newest first, a page at a time. Asked for anew when one starts, rests, comes or goes. */
export function useRuns(): UseInfiniteQueryResult<readonly ListedRun[]> {
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
