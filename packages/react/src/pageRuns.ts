import { type AgentHandle, localHost, type Run } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import type { StartDefaults } from './ReActProvider.tsx'

/** The runs of this page, by journal and id: a run that is resumed twice would execute twice. */
const perJournal = new WeakMap<Journal, PageRuns>()
type Known = Promise<Run> | WeakRef<Run>
type PageRuns = Map<string, Known>

/** Returns the run with this id: the one in this page, or the one of the journal, resumed. */
export async function attachRun<Output>(
  agent: AgentHandle<Output>,
  runId: string,
  options: StartDefaults,
): Promise<Run<Output>> {
  const { journal } = options
  // A handle tracks its runs itself.
  const here = journal && 'backend' in agent ? runHere(journal, runId) : undefined
  // An id belongs to one agent, so its run has that agent's output.
  if (here) return here as Run<Output> | Promise<Run<Output>>
  const resumed = agent.resume(runId, options)
  if (journal) void register(journal, runId, resumed)
  return resumed
}

/** Returns the id of a new run or message. */
export const newId = ({ host = localHost }: StartDefaults): string => host.newId()

/** Returns the run with this id if it is in this page. */
export function runHere(journal: Journal, runId: string): Run | Promise<Run> | undefined {
  const known = perJournal.get(journal)?.get(runId)
  return known instanceof WeakRef ? known.deref() : known
}

/** Registers a run that was started in this page. */
export function registerRun(run: Run, { journal }: StartDefaults): void {
  if (journal) void register(journal, run.id, Promise.resolve(run))
}

async function register(journal: Journal, runId: string, loading: Promise<Run>): Promise<void> {
  const runs: PageRuns = perJournal.get(journal) ?? new Map()
  perJournal.set(journal, runs)
  runs.set(runId, loading)
  let own: Known = loading
  const setKnown = (known: Known): void => {
    // Another run with this id may have been opened meanwhile.
    if (known === own || runs.get(runId) !== own) return
    own = known
    runs.set(runId, own)
  }
  try {
    const run = await loading
    const settled = new WeakRef(run)
    released.register(run, { runs: new WeakRef(runs), runId, settled })
    if (run.state.rest) setKnown(settled)
    // A message makes the run work again: it is then held strongly again.
    run.subscribe(({ type }) => setKnown(type === 'rested' ? settled : loading))
  } catch {
    if (runs.get(runId) === own) runs.delete(runId)
  }
}

interface Released {
  readonly runs: WeakRef<PageRuns>
  readonly runId: string
  readonly settled: WeakRef<Run>
}

/** Removes settled runs that were garbage-collected. */
const released = /* @__PURE__ */ new FinalizationRegistry<Released>(({ runs: ref, runId, settled }) => {
  const runs = ref.deref()
  if (runs?.get(runId) === settled) runs.delete(runId)
})
