import type { ListOptions, RunSummary } from '../../journal.ts'
import { count, type Members, text, time } from '../../shape.ts'
import { origin } from '../../shapes.ts'
import { lists, newest, newestFirst, noSummary, summarize } from '../summary.ts'
import { readEvents } from './events.ts'
import { idsBelow, type Mode, type StoredRun, type Transaction } from './stores.ts'

/** Reads only the requested runs: from the newest end of an index, or the children of one run. */
export async function listRuns(
  transaction: Transaction<Mode>,
  { limit = 50, ...options }: ListOptions,
): Promise<readonly RunSummary[]> {
  if (limit <= 0) return []
  const isListed = lists(options)
  if (options.below !== undefined) {
    const [first, end] = idsBelow(options.below)
    const below = await transaction.objectStore('runs').getAll(IDBKeyRange.bound(first, end, false, true))
    return below.filter(hasEvents).map(shown).filter(isListed).sort(newestFirst).slice(0, limit)
  }
  const summaries: RunSummary[] = []
  let cursor = await openNewest(transaction, options)
  while (cursor) {
    const summary = shown(cursor.value)
    if (isListed(summary)) summaries.push(summary)
    if (summaries.length >= limit) break
    cursor = await cursor.continue()
  }
  return summaries
}

/** Of those without, no index knows. */
const hasEvents = ({ summary }: { readonly summary?: RunSummary }): boolean => summary !== undefined

function openNewest(transaction: Transaction<Mode>, { agent, ...options }: ListOptions) {
  const { time, open } = newest(options)
  const runs = transaction.objectStore('runs')
  return agent === undefined
    ? runs.index('updatedAt').openCursor(IDBKeyRange.upperBound(time, open), 'prev')
    : runs.index('agent').openCursor(IDBKeyRange.bound([agent], [agent, time], false, open), 'prev')
}

const members: Members = {
  ...origin,
  startedAt: time,
  updatedAt: time,
  events: count,
  title: text,
  rest: text,
}

/** Returns a run's list entry. Invalid members are omitted, so that a damaged run is listed and can be deleted. */
function shown({ runId, summary }: StoredRun): RunSummary {
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
