import type { Journal } from '../journal.ts'

/** Returns the ids of all descendants of a run. Filters again, in case a journal ignores `below`. */
export async function runsBelow(journal: Journal, runId: string): Promise<readonly string[]> {
  const runs = await journal.list({ below: runId, limit: Number.MAX_SAFE_INTEGER })
  return runs.map((run) => run.runId).filter((id) => id.startsWith(`${runId}/`))
}
