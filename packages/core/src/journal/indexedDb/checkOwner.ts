import { conflict, outlived } from '../conflict.ts'
import { keysOf, type Mode, type StoredRun, type Transaction } from './stores.ts'

interface Writing {
  readonly runId: string
  /** The next `seq` of the log. */
  readonly seq: number
  readonly epoch?: number | undefined
}

/**
 * Returns the stored data of a run besides its log. Throws `journal_conflict` if another owner took over. The log
 * itself determines its length, not this data.
 */
export async function checkOwner(
  transaction: Transaction<Mode>,
  { runId, seq, epoch }: Writing,
): Promise<Partial<StoredRun>> {
  const [run, last] = await Promise.all([
    transaction.objectStore('runs').get(runId),
    transaction.objectStore('events').openKeyCursor(keysOf(runId), 'prev'),
  ])
  const length = last ? last.primaryKey[1] + 1 : 0
  if (seq !== length) throw conflict(runId, length, seq)
  if (epoch !== undefined && epoch !== run?.epoch) throw outlived(runId)
  return run ?? {}
}
