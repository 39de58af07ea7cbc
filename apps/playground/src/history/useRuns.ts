import type { RunSummary } from '@interleave/core/journal'
import { historyKeys, historyOptions } from '@interleave/react/history'
import { type UseInfiniteQueryResult, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { usePage, usePlayground } from '../run/usePlayground.ts'

/** The runs that are kept, newest first, a page at a time. Asked for anew when one starts, rests, comes or goes. */
export function useRuns(): UseInfiniteQueryResult<readonly RunSummary[]> {
  const { keep } = usePlayground()
  const changes = usePage((page) => page.changes)
  const client = useQueryClient()

  useEffect(() => {
    if (changes > 0) void client.invalidateQueries({ queryKey: historyKeys.lists })
  }, [client, changes])

  return useInfiniteQuery(historyOptions({ journal: async () => (await keep()).journal }))
}
