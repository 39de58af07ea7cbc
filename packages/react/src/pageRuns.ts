import type { AgentHandle, Run } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import type { StartDefaults } from './ReActProvider.tsx'

// A run that is resumed twice works twice. Whoever attaches to one that is in this page already gets that one. A run at
// work is held here; one that rests only for as long as somebody else holds it, since the journal has it too.
const perJournal = new WeakMap<Journal, Map<string, Promise<Run> | WeakRef<Run>>>()

/** The run with this id: the one in this page, or else the one in the journal, resumed. */
export async function attachRun<Output>(
  agent: AgentHandle<Output>,
  runId: string,
  options: StartDefaults,
): Promise<Run<Output>> {
  const journal = journalOf(agent, options)
  const here = journal && runHere(journal, runId)
  if (here) return here as Run<Output> | Promise<Run<Output>>
  const resumed = agent.resume(runId, options)
  if (journal) void keep(journal, runId, resumed)
  return resumed
}

/** The run with this id in this page, if it is there. */
export function runHere(journal: Journal, runId: string): Run | Promise<Run> | undefined {
  const known = runsOf(journal).get(runId)
  return known instanceof WeakRef ? known.deref() : known
}

/** Lets a run that was started here be found by its id. */
export function keepRun(run: Run, { journal }: StartDefaults): void {
  if (journal) void keep(journal, run.id, Promise.resolve(run))
}

async function keep(journal: Journal, runId: string, arriving: Promise<Run>): Promise<void> {
  const runs = runsOf(journal)
  runs.set(runId, arriving)
  try {
    const run = await arriving
    if (run.state.rest) runs.set(runId, new WeakRef(run))
    run.subscribe(({ type }) => {
      // It works on after a rest, when it is spoken to, and then nobody else may hold it either.
      if (type === 'rested') runs.set(runId, new WeakRef(run))
      else if (runs.get(runId) !== arriving) runs.set(runId, arriving)
    })
  } catch {
    runs.delete(runId)
  }
}

/** Returns the journal of an agent. A handle to a remote agent knows its runs itself, and needs none. */
const journalOf = (agent: AgentHandle, { journal }: StartDefaults): Journal | undefined =>
  'backend' in agent ? journal : undefined

function runsOf(journal: Journal): Map<string, Promise<Run> | WeakRef<Run>> {
  const known = perJournal.get(journal)
  if (known) return known
  const runs = new Map<string, Promise<Run> | WeakRef<Run>>()
  perJournal.set(journal, runs)
  return runs
}
