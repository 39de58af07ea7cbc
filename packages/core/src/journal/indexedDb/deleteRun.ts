import { hashesOf } from './storedEvents.ts'
import { idsBelow, keysOf, type Transaction } from './stores.ts'

/** Deletes a run, those below it, and the large values that no other run has. */
export async function deleteRun(transaction: Transaction<'readwrite'>, runId: string): Promise<void> {
  const [runs, events, values] = [
    transaction.objectStore('runs'),
    transaction.objectStore('events'),
    transaction.objectStore('values'),
  ]
  const [first, end] = idsBelow(runId)
  const logs = [keysOf(runId), IDBKeyRange.bound([first], [end], false, true)]
  const deleted = (await Promise.all(logs.map((log) => events.getAll(log)))).flat()
  await Promise.all([
    ...logs.map((log) => events.delete(log)),
    runs.delete(runId),
    runs.delete(IDBKeyRange.bound(first, end, false, true)),
  ])
  for (const hash of new Set(deleted.flatMap(hashesOf))) {
    if ((await events.index('large').count(hash)) === 0) await values.delete(hash)
  }
}
