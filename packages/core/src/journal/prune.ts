import { demand } from '../demand.ts'
import { localHost } from '../host.ts'
import type { Journal } from '../journal.ts'

export interface PruneOptions {
  /** Deletes runs that were last written to longer ago than this, in milliseconds. */
  olderThan?: number
  /** Deletes all but so many of the newest runs. */
  keep?: number
  /** In milliseconds since the epoch; by default the time now. */
  now?: number
}

/**
 * Deletes old runs with their child runs, and returns their ids. The age of a waiting run is that of its question. With
 * both options, a run is deleted if either applies.
 *
 * @example
 * await prune(journal, { olderThan: 30 * 24 * 3_600_000, keep: 500 })
 */
export async function prune(
  journal: Journal,
  { olderThan, keep, now = localHost.now() }: PruneOptions,
): Promise<readonly string[]> {
  demand(olderThan !== undefined || keep !== undefined, 'prune() needs to know what is old: olderThan, or keep.')
  const runs = await journal.list({ limit: 1_000_000 })
  const ids = new Set(runs.map(({ runId }) => runId))
  // A run below another one goes with it, and is not counted.
  const own = runs.filter(({ parent }) => !parent || !ids.has(parent.runId))
  const old = own.filter(
    ({ updatedAt }, index) =>
      index >= (keep ?? Number.POSITIVE_INFINITY) || updatedAt < now - (olderThan ?? Number.POSITIVE_INFINITY),
  )
  for (const { runId } of old) await journal.delete(runId)
  return old.map(({ runId }) => runId)
}
