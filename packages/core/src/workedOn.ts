import type { Journal } from './journal.ts'

/** The runs that work in this process, by the journal that was given for them. */
const working = new WeakMap<Journal, Set<string>>()

/** Notes that a run works here. Returns what ends it. */
export function workOn(journal: Journal, runId: string): () => void {
  const runs = working.get(journal) ?? new Set()
  working.set(journal, runs.add(runId))
  return () => runs.delete(runId)
}

/** Returns true if this process runs a run of this journal, so that no other part of it takes the run over. */
export const isWorkedOn = (journal: Journal, runId: string): boolean => working.get(journal)?.has(runId) === true
