import type { Failure } from '../error.ts'
import type { Journal, ListOptions, RunSummary } from '../journal.ts'
import { lookAt } from './lookAt.ts'

export interface InspectedRun extends RunSummary {
  /** Why `resume` refuses it; absent where it does not. */
  readonly damage?: Failure
}

/**
 * A page of the list, each run with what is wrong with its log. It reads the logs, so it takes longer than `list`. A damaged run
 * stays as it is until it is deleted; `salvage` gives what can be had of it.
 */
export async function inspectRuns(journal: Journal, options: ListOptions = {}): Promise<readonly InspectedRun[]> {
  const runs: InspectedRun[] = []
  for (const run of await journal.list(options)) {
    const { damage } = await lookAt(journal, run.runId)
    runs.push(damage ? { ...run, damage } : run)
  }
  return runs
}
