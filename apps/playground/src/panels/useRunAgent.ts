import type { Agent } from '@interleave/core'
import { useMemo } from 'react'
import { agentFrom } from '../agents/agentFrom.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import { uploadedFile } from '../tables/uploadedFile.ts'

/** The agent of a run, to ask what it would ask its model. It works on nothing. */
export function useRunAgent({ file, mind, log: shown, past }: Conversation): Agent | undefined {
  const log = past?.live.log ?? shown
  return useMemo(() => {
    try {
      return agentFrom(file, { ...mind, file: uploadedFile(log.events) })
    } catch {
      // A file that was edited since may be wrong. The messages of the log are shown then.
      return undefined
    }
  }, [file, mind, log])
}
