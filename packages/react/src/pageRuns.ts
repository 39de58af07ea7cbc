import { type AgentHandle, localHost, type Run } from '@interleave/core'
import { adopt, isOvertaken, keptFor, workingRun } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import type { StartDefaults } from './ReActProvider.tsx'

/**
 * The runs of this page, by id: a run that is resumed twice would execute twice. They are kept by what the journal is,
 * since a component may make its journal inline, and a hot reload makes a new one.
 */
const runsOf = (journal: Journal): PageRuns => keptFor(journal, 'page', () => new Map())
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
  if (journal && here) {
    const run = await here
    if (!runsOf(journal).has(runId)) registerRun(run, options)
    adopt(run, agent)
    return run as Run<Output>
  }
  return resumeHere(agent, runId, options)
}

/**
 * Loads a run again that was continued elsewhere. All that show it in this page, and all messages of their users, get the
 * same one: each resumption takes the run from the one before.
 */
export async function takeBackRun<Output>(
  agent: AgentHandle<Output>,
  runId: string,
  options: StartDefaults,
): Promise<Run<Output>> {
  const { journal } = options
  const here = journal && runHere(journal, runId)
  if (!here || (!(here instanceof Promise) && isOvertaken(here))) return resumeHere(agent, runId, options)
  const run = await attachRun(agent, runId, options)
  return isOvertaken(run) ? takeBackRun(agent, runId, options) : run
}

/** Resumes a run, and registers it at once. */
function resumeHere<Output>(agent: AgentHandle<Output>, runId: string, options: StartDefaults): Promise<Run<Output>> {
  const { journal } = options
  const resumed = agent.resume(runId, options)
  if (journal) void register(journal, runId, resumed)
  return resumed
}

/** Returns the id of a new run or message. */
export const newId = ({ host = localHost }: StartDefaults): string => host.newId()

/** Returns the run with this id if it is in this page. */
export function runHere(journal: Journal, runId: string): Run | Promise<Run> | undefined {
  const known = runsOf(journal).get(runId)
  // Code of the app may have started it without a component.
  return (known instanceof WeakRef ? known.deref() : known) ?? workingRun(journal, runId)
}

/** Registers a run that was started in this page. */
export function registerRun(run: Run, { journal }: StartDefaults): void {
  if (journal) void register(journal, run.id, Promise.resolve(run))
}

async function register(journal: Journal, runId: string, loading: Promise<Run>): Promise<void> {
  const runs = runsOf(journal)
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
    if (run.state.signal) setKnown(settled)
    // A message makes the run work again: it is then held strongly again.
    run.subscribe(({ type }) => setKnown(type === 'settled' ? settled : loading))
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
