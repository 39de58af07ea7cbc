import { conflict, outlived } from '../conflict.ts'
import { keysOf, type Mode, type StoredRun, type Transaction } from './stores.ts'

interface Writing {
  readonly runId: string
  /** Where it goes on. */
  readonly seq: number
  readonly epoch?: number | undefined
}

/**
 * What is kept of a run beside its log. Throws `journal_conflict` where somebody else has gone on with it. How long the log is
 * the log says, and not what is kept beside it.
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
