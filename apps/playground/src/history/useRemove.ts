import { useMutation } from '@tanstack/react-query'
import { usePlayground } from '../run/usePlayground.ts'
import { putBack, type TakenOut, takeOut } from '../storage/takeOut.ts'

/** Deletes a run. It can be restored until another one is deleted. */
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

/** Restores what was deleted. */
export function useBringBack() {
  const { store, openStorage, change } = usePlayground()
  return useMutation({
    mutationFn: async (removed: TakenOut) => putBack(await openStorage(), removed),
    onSuccess: () => store.setState({ removed: undefined }),
    onSettled: change,
  })
}
