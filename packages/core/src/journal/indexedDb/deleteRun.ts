import type { Transaction } from './stores.ts'

/** Deletes a run, those below it, and the large values that no other run has. */
export async function deleteRun(transaction: Transaction<'readwrite'>, runId: string): Promise<void> {
  const [runs, events, values] = [
    transaction.objectStore('runs'),
    transaction.objectStore('events'),
    transaction.objectStore('values'),
  ]
  // Ids that begin with "<id>/": "0" comes right after "/".
  const [first, end] = [`${runId}/`, `${runId}0`]
  const logs = [
    IDBKeyRange.bound([runId, 0], [runId, Number.POSITIVE_INFINITY]),
    IDBKeyRange.bound([first], [end], false, true),
  ]
  const deleted = (await Promise.all(logs.map((log) => events.getAll(log)))).flat()
  await Promise.all([
    ...logs.map((log) => events.delete(log)),
    runs.delete(runId),
    runs.delete(IDBKeyRange.bound(first, end, false, true)),
  ])
  for (const hash of new Set(deleted.flatMap(({ large = [] }) => large))) {
    if ((await events.index('large').count(hash)) === 0) await values.delete(hash)
  }
}
