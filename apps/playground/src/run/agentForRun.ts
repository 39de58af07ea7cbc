import type { Agent, Event } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import { agentFrom } from '../agents/agentFrom.ts'
import { uploadedFile } from '../tables/uploadedFile.ts'
import type { Mind } from './mind.ts'

export interface RunSetting {
  readonly mind: Pick<Mind, 'model' | 'priceOf'>
  readonly journal: Journal
  /** Hears what there is of a run whenever it is gone on with here. */
  onFound?(events: readonly Event[]): void
}

/**
 * The agent of a file, for one run. Each time that the run is gone on with, its agent is made anew: what the user had laid on
 * its desk in another tab lies there again.
 */
export function agentForRun(file: string, { mind, journal, onFound }: RunSetting): Agent {
  return {
    ...agentFrom(file, mind),
    async resume(from, options) {
      const past = await journal.read(typeof from === 'string' ? from : from.runId)
      const run = await agentFrom(file, { ...mind, file: uploadedFile(past) }).resume(from, options)
      onFound?.(past)
      return run
    },
  }
}
