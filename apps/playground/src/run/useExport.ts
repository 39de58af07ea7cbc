import { messageOf } from '@interleave/core/internal'
import { useState } from 'react'
import { saveRun } from './saveRun.ts'
import { usePlayground } from './usePlayground.ts'

export interface Exporting {
  /** Gives a run to the user as a file. */
  save(runId: string): Promise<void>
  /** The reason why the run could not be exported. */
  readonly trouble: string | undefined
}

export function useExport(): Exporting {
  const playground = usePlayground()
  const [trouble, tell] = useState<string>()
  return {
    trouble,
    async save(runId) {
      tell(undefined)
      try {
        await saveRun(playground, runId)
      } catch (error) {
        tell(messageOf(error))
      }
    },
  }
}
