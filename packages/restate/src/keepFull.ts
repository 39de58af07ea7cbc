import type { Run } from '@interleave/core'
import { keptEventsOf } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'

/** Whether a run rests since it wants to keep more than there is room for. */
export const isFull = ({ state: { rest } }: Run): boolean =>
  rest?.type === 'failed' && rest.error.code === 'journal_full'

/**
 * Keeps that it rests, in place of what was too much. Where a page has its own run it knows that already; here the log is all that
 * anybody sees of it, and who goes on with it begins its open calls anew.
 */
export async function keepFull(run: Run, journal: Pick<Journal, 'append' | 'read'>): Promise<void> {
  const rested = keptEventsOf(run).at(-1)
  const last = (await journal.read(run.id)).at(-1)
  if (rested?.type !== 'rested' || !last) return
  await journal.append(run.id, [{ ...rested, seq: last.seq + 1, iteration: last.iteration }])
}
