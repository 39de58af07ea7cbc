import { askToPersist, persistence } from '@interleave/core/indexeddb'
import type { PruneOptions } from '@interleave/core/journal'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePlayground } from '../run/usePlayground.ts'

const queryKey = ['storage'] as const

/** Returns the used and free storage, and whether the browser may evict it. */
export const useStorageFacts = () => useQuery({ queryKey, queryFn: persistence, staleTime: 0 })

/** Asks the browser to keep everything. Gives whether it will. */
export function useAskToPersist() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: askToPersist,
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
}

/** Deletes old runs for good. Gives how many. */
export function usePrune() {
  const { keep, forget, store } = usePlayground()
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (options: PruneOptions) => {
      const [{ journal, records }, { prune }] = await Promise.all([keep(), import('@interleave/core/journal')])
      const ids = await prune(journal, options)
      await forget(ids)
      for (const id of ids) await records.delete(id)
      return ids.length
    },
    onSuccess: () => store.setState({ removed: undefined }),
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
}
