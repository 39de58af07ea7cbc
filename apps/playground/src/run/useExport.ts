import { useState } from 'react'
import { download } from '../parts/download.ts'
import { messageOf } from '../parts/messageOf.ts'
import { usePlayground } from './usePlayground.ts'

export interface Exporting {
  /** Gives a run to the user as a file. */
  save(runId: string): Promise<void>
  /** Why it could not be. */
  readonly trouble: string | undefined
}

export function useExport(): Exporting {
  const { store, keep } = usePlayground()
  const [trouble, tell] = useState<string>()
  return {
    trouble,
    async save(runId) {
      tell(undefined)
      try {
        const { toFile } = await import('../kept/runFiles.ts')
        const open = store.getState().conversations.find(({ run }) => run.id === runId)
        download(`run-${runId}.json`, await toFile(await keep(), open?.run ?? runId), 'application/json')
      } catch (error) {
        tell(messageOf(error))
      }
    },
  }
}
