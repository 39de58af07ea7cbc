import { claimNote } from '../claimNote.ts'
import { AgentError } from '../error.ts'
import type { RunContext, Step } from '../run.ts'
import type { Signal } from '../signal.ts'
import { END } from './graphShape.ts'
import { visitOf } from './inVisit.ts'
import { begin, type Path } from './path.ts'
import { keys, latestPlace, placeOf } from './place.ts'
import { walk } from './walk.ts'
import type { Wiring } from './wiring.ts'

/** Makes a graph a step. One call walks to the end, or until a node pauses the run. */
export function walkGraph(wiring: Wiring): Step {
  return async (run: RunContext): Promise<Signal | undefined> => {
    const path = pathOf(run, wiring)
    claim(run, path.key, wiring)
    if (isUnheard(run, path)) begin(run, path)
    const walked = await walk({ run, wiring, path })
    if (!walked) return undefined
    return 'rest' in walked ? walked.rest : walked.over.answer
  }
}

/** A graph in a node of another one is walked through with each visit of it; any other with each request of the user. */
function pathOf(run: RunContext, { name, start }: Wiring): Path {
  const visit = visitOf(run)
  const key = visit ? keys.inner(visit.key, visit.node, name) : keys.graph(name)
  const visits = latestPlace(run.state, key)?.visit ?? 0
  const of = visit?.seq ?? run.state.request.seq
  return { key, label: keys.graph(name), of, start, until: END, visits, before: visits }
}

/** Returns true if a user message arrived after the graph's answer that no node received: it restarts the graph. */
function isUnheard(run: RunContext, path: Path): boolean {
  const place = visitOf(run) ? undefined : placeOf(run.state, path)
  if (!place?.answer) return false
  return run.state.pending.some(({ by, seq }) => by === 'user' && seq > place.since)
}

/** Two graphs of one name would take each other's place for their own. */
function claim(run: RunContext, key: string, wiring: Wiring): void {
  if (claimNote(run, key, wiring)) return
  throw new AgentError('graph_invalid', `Two graphs of this agent are named "${wiring.name}". Rename one of them.`)
}
