import { useMutation } from '@tanstack/react-query'
import { isOnServer } from '../kept/isOnServer.ts'
import { putBack, type TakenOut, takeOut } from '../kept/takeOut.ts'
import { usePlayground } from '../run/usePlayground.ts'

/** Deletes a run, so that it can be had back while nothing else is deleted. One on the server is gone for good. */
export function useRemove() {
  const { store, keep, forget, change } = usePlayground()
  return useMutation({
    mutationFn: async (runId: string) => {
      const kept = await keep()
      const isThere = await isOnServer(kept, runId)
      await forget([runId])
      if (!isThere) return takeOut(kept, runId)
      await kept.server?.delete(runId)
      await kept.records.delete(runId)
      return undefined
    },
    onSuccess: (removed) => store.setState({ removed }),
    onSettled: change,
  })
}

/** Brings back what was deleted. */
export function useBringBack() {
  const { store, keep, change } = usePlayground()
  return useMutation({
    mutationFn: async (removed: TakenOut) => putBack(await keep(), removed),
    onSuccess: () => store.setState({ removed: undefined }),
    onSettled: change,
  })
}
