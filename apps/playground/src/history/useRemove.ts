import { useMutation } from '@tanstack/react-query'
import { usePlayground } from '../run/usePlayground.ts'
import { putBack, type TakenOut, takeOut } from '../storage/takeOut.ts'

/** Deletes a run, so that it can be had back while nothing else is deleted. */
export function useRemove() {
  const { store, openStorage, forget, change } = usePlayground()
  return useMutation({
    mutationFn: async (runId: string) => {
      await forget([runId])
      return takeOut(await openStorage(), runId)
    },
    onSuccess: (removed) => store.setState({ removed }),
    onSettled: change,
  })
}

/** Brings back what was deleted. */
export function useBringBack() {
  const { store, openStorage, change } = usePlayground()
  return useMutation({
    mutationFn: async (removed: TakenOut) => putBack(await openStorage(), removed),
    onSuccess: () => store.setState({ removed: undefined }),
    onSettled: change,
  })
}
