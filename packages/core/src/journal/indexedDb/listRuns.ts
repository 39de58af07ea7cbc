import type { ListOptions, RunSummary } from '../../journal.ts'
import { lists, newest, newestFirst } from '../listing.ts'
import { idsBelow, type Mode, type Transaction } from './stores.ts'
import { shown } from './summaryOf.ts'

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
