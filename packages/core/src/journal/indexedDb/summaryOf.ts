import type { RunSummary } from '../../journal.ts'
import { origin } from '../../originShape.ts'
import { count, type Members, text, time } from '../../shape.ts'
import { noSummary, summarize } from '../summarize.ts'
import { readEvents } from './storedEvents.ts'
import type { Mode, StoredRun, Transaction } from './stores.ts'

const members: Members = {
  ...origin,
  startedAt: time,
  updatedAt: time,
  events: count,
  title: text,
  rest: text,
}

/** Returns a run's list entry. Invalid members are omitted, so that a damaged run is listed and can be deleted. */
export function shown({ runId, summary }: StoredRun): RunSummary {
  const stored = Object.entries(Object(summary) as object)
  const sound = stored.filter(([key, value]) => Object.hasOwn(members, key) && members[key]?.(value) === undefined)
  return { ...noSummary, ...Object.fromEntries(sound), runId }
}

/** Returns the summary for a log of this length, recomputed from the log if the stored one does not match. */
export async function summaryOf(
  transaction: Transaction<Mode>,
  { summary, runId }: StoredRun,
  length: number,
): Promise<RunSummary> {
  if (length === 0) return noSummary
  const isSound = summary?.events === length && summary.runId === runId
  return isSound ? shown({ runId, summary }) : summarize(noSummary, await readEvents(transaction, runId))
}
