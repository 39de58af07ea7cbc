import type { ListOptions, RunSummary } from '../../journal.ts'
import type { Mode, Transaction } from './stores.ts'

/** Walks an index from its newest end, and reads no more than is asked for. */
export async function listRuns(
  transaction: Transaction<Mode>,
  { agent, before = Number.POSITIVE_INFINITY, limit = 50 }: ListOptions,
): Promise<readonly RunSummary[]> {
  const runs = transaction.objectStore('runs')
  const summaries: RunSummary[] = []
  if (limit <= 0) return summaries
  let cursor =
    agent === undefined
      ? await runs.index('updatedAt').openCursor(IDBKeyRange.upperBound(before, true), 'prev')
      : await runs.index('agent').openCursor(IDBKeyRange.bound([agent], [agent, before], false, true), 'prev')
  while (cursor) {
    if (cursor.value.summary) summaries.push(cursor.value.summary)
    if (summaries.length >= limit) break
    cursor = await cursor.continue()
  }
  return summaries
}
