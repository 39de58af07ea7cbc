import { checkOwner } from './checkOwner.ts'
import type { Transaction } from './stores.ts'

/** Makes the caller the owner, and gives its epoch. Of the count and that of the run the higher one counts, should one be lost. */
export async function claimRun(transaction: Transaction<'readwrite'>, runId: string, length: number): Promise<number> {
  const run = await checkOwner(transaction, { runId, seq: length })
  const counters = transaction.objectStore('counters')
  const epoch = Math.max(...[await counters.get('epoch'), run.epoch].map(orNone)) + 1
  await counters.put(epoch, 'epoch')
  await transaction.objectStore('runs').put({ ...run, runId, epoch })
  return epoch
}

const orNone = (epoch: unknown): number => (Number.isSafeInteger(epoch) ? (epoch as number) : 0)
