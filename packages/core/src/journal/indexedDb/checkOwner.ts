import { conflict, outlived } from '../conflict.ts'
import type { Mode, StoredRun, Transaction } from './stores.ts'

interface Writing {
  readonly runId: string
  /** Where it goes on. */
  readonly seq: number
  readonly epoch?: number | undefined
}

/** What is kept of a run. Throws `journal_conflict` where somebody else has gone on with it. */
export async function checkOwner(
  transaction: Transaction<Mode>,
  { runId, seq, epoch }: Writing,
): Promise<StoredRun | undefined> {
  const run = await transaction.objectStore('runs').get(runId)
  const length = run?.summary?.events ?? 0
  if (seq !== length) throw conflict(runId, length, seq)
  if (epoch !== undefined && epoch !== run?.epoch) throw outlived(runId)
  return run
}
