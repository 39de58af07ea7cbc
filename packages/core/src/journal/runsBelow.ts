import type { Journal } from '../journal.ts'

/** The ids of all runs below a run. Looked at again, should a journal have taken no heed of `below`. */
export async function runsBelow(journal: Journal, runId: string): Promise<readonly string[]> {
  const runs = await journal.list({ below: runId, limit: Number.MAX_SAFE_INTEGER })
  return runs.map((run) => run.runId).filter((id) => id.startsWith(`${runId}/`))
}
