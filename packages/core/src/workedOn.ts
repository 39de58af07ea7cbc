import type { Journal } from './journal.ts'

/** The runs of this process, by their journal. */
const working = new WeakMap<Journal, Set<string>>()

/** Marks a run as running here. Returns a function that ends this. */
export function workOn(journal: Journal, runId: string): () => void {
  const runs = working.get(journal) ?? new Set()
  working.set(journal, runs.add(runId))
  return () => runs.delete(runId)
}

/** Returns true if this process runs a run of this journal, so that no other part of it takes the run over. */
export const isWorkedOn = (journal: Journal, runId: string): boolean => working.get(journal)?.has(runId) === true
