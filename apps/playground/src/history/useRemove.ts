import { useMutation } from '@tanstack/react-query'
import { putBack, type TakenOut, takeOut } from '../kept/takeOut.ts'
import { usePlayground } from '../run/usePlayground.ts'

/** Deletes a run, so that it can be had back while nothing else is deleted. */
export function useRemove() {
  const { store, keep, forget, change } = usePlayground()
  return useMutation({
    mutationFn: async (runId: string) => {
      await forget([runId])
      return takeOut(await keep(), runId)
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
