import { useMutation } from '@tanstack/react-query'
import { toKept } from '../kept/keptConnection.ts'
import { usePlayground } from '../run/usePlayground.ts'

/** Takes a run from a file, and shows it. It thinks with the model that the page uses now, whatever the file says. */
export function useImport() {
  const { store, keep, change, show } = usePlayground()
  return useMutation({
    mutationFn: async (file: File) => {
      const [kept, { fromFile }] = await Promise.all([keep(), import('../kept/runFiles.ts')])
      const { runId, agent } = await fromFile(kept, await file.text())
      const connection = toKept(store.getState().connection)
      if (agent) await kept.records.put({ runId, ...agent, connection })
      return runId
    },
    onSuccess: (runId) => {
      store.setState({ removed: undefined })
      void show(runId)
    },
    onSettled: change,
  })
}
