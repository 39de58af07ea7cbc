import type { Agent, Event } from '@interleave/core'
import type { Journal, PermissionStore } from '@interleave/core/journal'
import { agentFrom } from '../agents/agentFrom.ts'
import type { Given } from '../agents/toolRegistry.ts'
import type { Payer } from '../bank/Bank.ts'
import { uploadedFile } from '../tables/uploadedFile.ts'
import type { PageFunctions } from '../tools/showSection.ts'
import type { RunModel } from './runModel.ts'

export interface RunSetting {
  readonly runModel: Pick<RunModel, 'model' | 'priceOf'>
  readonly journal: Pick<Journal, 'read'>
  /** The functions of the page, for a run that executes in it. */
  readonly page?: PageFunctions | undefined
  readonly permissions?: PermissionStore | undefined
  readonly bank?: Payer | undefined
  /** Receives the events of a run whenever it resumes here. */
  onFound?(events: readonly Event[]): void
}

/** Makes the agent of a file for one run, each time it resumes: its desk is that of no other run. */
export function agentForRun(file: string, { runModel, journal, page, permissions, bank, onFound }: RunSetting): Agent {
  const make = (given: Partial<Given> = {}): Agent =>
    agentFrom(file, { ...runModel, page, permissions, bank, ...given })
  return {
    ...make(),
    start: (input, options) => make().start(input, options),
    async resume(from, options) {
      const past = await (options?.journal ?? journal).read(typeof from === 'string' ? from : from.state.runId)
      const run = await make({ file: uploadedFile(past) }).resume(from, options)
      onFound?.(past)
      return run
    },
  }
}
