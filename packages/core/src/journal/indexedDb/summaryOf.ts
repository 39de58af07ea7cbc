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

/** What a list shows of a run. What does not fit is left out, so that a damaged run is seen, and can be deleted. */
export function shown({ runId, summary }: StoredRun): RunSummary {
  const stored = Object.entries(Object(summary) as object)
  const sound = stored.filter(([key, value]) => Object.hasOwn(members, key) && members[key]?.(value) === undefined)
  return { ...noSummary, ...Object.fromEntries(sound), runId }
}

/** The summary of a log of this length; one that does not fit is made anew from the log. */
export async function summaryOf(
  transaction: Transaction<Mode>,
  { summary, runId }: StoredRun,
  length: number,
): Promise<RunSummary> {
  if (length === 0) return noSummary
  const isSound = summary?.events === length && summary.runId === runId
  return isSound ? shown({ runId, summary }) : summarize(noSummary, await readEvents(transaction, runId))
}
