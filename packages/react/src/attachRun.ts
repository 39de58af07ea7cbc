import type { Agent, Journal, Run } from '@interleave/core'
import type { StartDefaults } from './ReActProvider.tsx'

// A run that is resumed twice works twice. Whoever attaches to it in this page gets the one that is here already.
const perJournal = new WeakMap<Journal, Map<string, Promise<Run>>>()

/** The run with this id: the one in this page, or else the one in the journal, resumed. */
export function attachRun<Output>(agent: Agent<Output>, runId: string, options: StartDefaults): Promise<Run<Output>> {
  const { journal } = options
  if (!journal) return agent.resume(runId, options)
  const runs = runsOf(journal)
  const known = runs.get(runId)
  if (known) return known as Promise<Run<Output>>
  const resumed = agent.resume(runId, options)
  runs.set(runId, resumed)
  resumed.catch(() => runs.delete(runId))
  return resumed
}

/** Lets a run that was started here be found by its id. */
export function keepRun(run: Run, { journal }: StartDefaults): void {
  if (journal) runsOf(journal).set(run.id, Promise.resolve(run))
}

function runsOf(journal: Journal): Map<string, Promise<Run>> {
  const known = perJournal.get(journal)
  if (known) return known
  const runs = new Map<string, Promise<Run>>()
  perJournal.set(journal, runs)
  return runs
}
