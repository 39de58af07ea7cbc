import type { AgentHandle, Run } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import type { StartDefaults } from './ReActProvider.tsx'

/** The runs of this page, by journal and id: a run that is resumed twice would execute twice. */
const perJournal = new WeakMap<Journal, PageRuns>()
type PageRuns = Map<string, Promise<Run> | WeakRef<Run>>

/** Returns the run with this id: the one in this page, or the one of the journal, resumed. */
export async function attachRun<Output>(
  agent: AgentHandle<Output>,
  runId: string,
  options: StartDefaults,
): Promise<Run<Output>> {
  const { journal } = options
  // A handle knows its runs itself, and opens each once.
  const here = journal && 'backend' in agent ? runHere(journal, runId) : undefined
  // An id is of one agent, so its run has that agent's output.
  if (here) return here as Run<Output> | Promise<Run<Output>>
  const resumed = agent.resume(runId, options)
  if (journal) void keep(journal, runId, resumed)
  return resumed
}

/** Returns the run with this id if it is in this page. */
export function runHere(journal: Journal, runId: string): Run | Promise<Run> | undefined {
  const known = perJournal.get(journal)?.get(runId)
  return known instanceof WeakRef ? known.deref() : known
}

/** Makes a run that was started here known by its id. */
export function keepRun(run: Run, { journal }: StartDefaults): void {
  if (journal) void keep(journal, run.id, Promise.resolve(run))
}

async function keep(journal: Journal, runId: string, loading: Promise<Run>): Promise<void> {
  const runs: PageRuns = perJournal.get(journal) ?? new Map()
  perJournal.set(journal, runs)
  runs.set(runId, loading)
  try {
    const run = await loading
    if (run.state.rest) runs.set(runId, new WeakRef(run))
    run.subscribe(({ type }) => {
      // A message makes a settled run work again, and then it is held again.
      if (type === 'rested') runs.set(runId, new WeakRef(run))
      else if (runs.get(runId) !== loading) runs.set(runId, loading)
    })
  } catch {
    runs.delete(runId)
  }
}
