import { useMutation } from '@tanstack/react-query'
import { toKept } from '../kept/keptConnection.ts'
import { usePlayground } from '../run/usePlayground.ts'

/** A file with more bytes than this is not read. */
const most = 2 ** 28

/** Takes a run from a file, and shows it. It waits until the user continues it, with the model of this page. */
export function useImport() {
  const { store, keep, change, show } = usePlayground()
  return useMutation({
    mutationFn: async (file: File) => {
      if (file.size > most) throw new Error('The file is larger than 256 MB. Pick one that was exported here.')
      const [kept, { fromFile }] = await Promise.all([keep(), import('../kept/runFiles.ts')])
      const { runId, agent } = await fromFile(kept, await file.text())
      const connection = toKept(store.getState().connection)
      try {
        if (agent) await kept.records.put({ runId, ...agent, connection })
      } catch (error) {
        // Without its agent it would be continued with another one.
        await kept.journal.delete(runId)
        throw error
      }
      return runId
    },
    onSuccess: (runId) => {
      store.setState({ removed: undefined })
      void show(runId)
    },
    onSettled: change,
  })
}
