import type { Run } from '@interleave/core'
import { keptEventsOf } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'

/** Returns true if a run failed because a write was too large. */
export const isFull = ({ state: { rest } }: Run): boolean =>
  rest?.type === 'failed' && rest.error.code === 'journal_full'

/**
 * Persists the signal instead of the oversized write. A page with its own run already knows it; here clients see only
 * the log. Resuming starts the open calls again.
 */
export async function keepFull(run: Run, journal: Pick<Journal, 'append' | 'read'>): Promise<void> {
  const rested = keptEventsOf(run).at(-1)
  const last = (await journal.read(run.id)).at(-1)
  if (rested?.type !== 'rested' || !last) return
  await journal.append(run.id, [{ ...rested, seq: last.seq + 1, iteration: last.iteration }])
}
