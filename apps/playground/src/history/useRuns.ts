import type { RunSummary } from '@interleave/core/journal'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { usePage, usePlayground } from '../run/usePlayground.ts'

const queryKey = ['runs'] as const
const pageSize = 30

/** The runs that are kept, newest first, a page at a time. Asked for anew when one starts, rests, comes or goes. */
export function useRuns() {
  const { keep } = usePlayground()
  const changes = usePage((page) => page.changes)
  const client = useQueryClient()

  useEffect(() => {
    if (changes > 0) void client.invalidateQueries({ queryKey })
  }, [client, changes])

  return useInfiniteQuery({
    queryKey,
    initialPageParam: undefined as RunSummary | undefined,
    queryFn: async ({ pageParam }) => {
      const { journal, isFleeting } = await keep()
      const runs = await journal.list({ limit: pageSize, ...(pageParam && { before: pageParam }) })
      return { runs, isFleeting }
    },
    getNextPageParam: ({ runs }) => (runs.length === pageSize ? runs.at(-1) : undefined),
    select: ({ pages }) => ({
      runs: unique(pages.flatMap(({ runs }) => runs)),
      isFleeting: pages[0]?.isFleeting ?? false,
    }),
  })
}

/** Those below another one are looked at in it. One that was written to meanwhile may stand on two pages. */
const unique = (runs: readonly RunSummary[]): readonly RunSummary[] => [
  ...new Map(runs.filter(({ parent }) => !parent).map((run) => [run.runId, run])).values(),
]
