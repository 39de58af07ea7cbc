import { DEV } from '#checks'
import { AgentError, isAgentError, messageOf, toFailure } from '../error.ts'
import type { RunContext, Step } from '../run.ts'
import type { LimitReachedSignal, Signal } from '../signal.ts'
import { claimNote } from '../step.ts'
import { limitSignal } from '../stop/atLimit.ts'
import { type EdgesTo, END, isRouter, toEdges } from './edges.ts'
import { begin, keys, latestPlace, moveTo, type Path, type Place, placeOf } from './position.ts'
import { inVisit, visitOf } from './visit.ts'

/** A graph for walking, by node names. */
export interface Wiring {
  readonly name: string
  readonly start: string
  readonly steps: ReadonlyMap<string, Step>
  readonly edges: ReadonlyMap<string, EdgesTo<string>>
  /** The maximum number of visits of a walk. */
  readonly visits: number
}

/**
 * Makes a graph a step. One call walks from the position in the log to the end, or until a node pauses the run. The next
 * call continues wherever this one ends.
 */
export function walkGraph(wiring: Wiring): Step {
  return async (run: RunContext): Promise<Signal | undefined> => {
    const path = pathOf(run, wiring)
    // Two graphs of one name would share one position.
    if (!claimNote(run, path.key, wiring))
      throw new AgentError(
        'graph_invalid',
        DEV && `Two graphs of this agent are named "${wiring.name}". Rename one of them.`,
      )
    if (!placeOf(run.state, path) || hasNewMessage(run, path)) begin(run, path)
    for (;;) {
      // Finished visits are in the journal before anything new starts.
      const saved = run.durable()
      if (saved) await saved
      const place = placeOf(run.state, path) as Place
      if (place.over) return place.answer
      if (run.abortSignal.aborted) return undefined
      const signal = await visit({ run, wiring, path }, place)
      if (signal) return signal
    }
  }
}

/** Returns the path of a graph, which is walked once per user request, or per visit of the node that it is in. */
function pathOf(run: RunContext, { name, start }: Wiring): Path {
  const visit = visitOf(run)
  const key = visit ? keys.inner(visit.key, visit.node, name) : keys.graph(name)
  const visits = latestPlace(run.state, key)?.visit ?? 0
  return { key, label: keys.graph(name), of: visit?.seq ?? run.state.request.seq, start, visits }
}

/** Returns true if a user message arrived after the graph's answer: no node received it, so it restarts the graph. */
function hasNewMessage(run: RunContext, path: Path): boolean {
  const place = visitOf(run) ? undefined : placeOf(run.state, path)
  if (!place?.answer) return false
  return run.state.pending.some(({ by, seq }) => by === 'user' && seq > place.since)
}

/** A walk through a graph. */
interface Walk {
  readonly run: RunContext
  readonly wiring: Wiring
  readonly path: Path
}

/** Calls the step of a node, and moves on when it has finished. Returns the signal if the node pauses the run. */
async function visit({ run, wiring, path }: Walk, place: Place): Promise<Signal | undefined> {
  const step = wiring.steps.get(place.node)
  if (!step) throw missing(wiring, place)
  const limit = visitLimit(run, wiring, place)
  if (limit) return limit
  const context = inVisit(run, path, place, step)
  const signal = await call(step, context, `The node "${place.node}" of the graph "${wiring.name}"`)
  if (run.abortSignal.aborted) return undefined
  if (signal && signal.type !== 'answer') return signal
  const next = await targetAfter(context, wiring, place.node)
  if (run.abortSignal.aborted) return undefined
  const { of, before, since } = place
  const ended = next === END && { over: true as const, ...(signal && { answer: signal }) }
  moveTo(run, path.key, { of, node: next, visit: place.visit + (ended ? 0 : 1), before, since, ...ended })
  return undefined
}

/** Calls a step, and adds its name to an error. An error of ours already says what to do. */
export async function call(step: Step, run: RunContext, name: string): Promise<Signal | undefined> {
  try {
    return await step(run)
  } catch (error) {
    if (isAgentError(error)) throw error
    const { code, message, ...more } = toFailure(error, 'step_failed')
    throw new AgentError(code, `${name} failed: ${message}`, { cause: error, ...more })
  }
}

const missing = ({ name }: Wiring, { node }: Place): AgentError =>
  new AgentError(
    'state_invalid',
    `The run is at "${node}" of the graph "${name}", which has no such node any more. Bring it back, or let the user start again with say().`,
  )

/** Returns the target after a node. Throws if a router chooses an undeclared one. */
async function targetAfter(run: RunContext, wiring: Wiring, node: string): Promise<string> {
  const router = wiring.edges.get(node)
  if (!isRouter(router)) return toEdges(node, router)[0]?.to ?? END
  const owner = `The router of "${node}" in the graph "${wiring.name}"`
  let chosen: unknown
  try {
    chosen = await router.choose(run)
  } catch (error) {
    throw new AgentError('step_failed', `${owner} failed: ${messageOf(error)}`, { cause: error })
  }
  if (typeof chosen === 'string' && router.targets.includes(chosen)) return chosen
  const kind = chosen === undefined ? 'nothing' : `a value of the type ${typeof chosen}`
  const given = typeof chosen === 'string' ? JSON.stringify(chosen) : kind
  const targets = router.targets.map((target) => JSON.stringify(target)).join(', ')
  throw new AgentError('step_failed', `${owner} chose ${given}, which is none of its targets: ${targets}.`)
}

/** Pauses the run before a visit beyond the limit. The reply allows more visits, or ends the run. */
function visitLimit(run: RunContext, wiring: Wiring, place: Place): LimitReachedSignal | undefined {
  const allowed = wiring.visits + (run.state.extensions.visits ?? 0)
  const used = place.visit - 1 - place.before
  if (used < allowed) return undefined
  return limitSignal(
    run,
    { limit: 'visits', used, allowed, suggested: wiring.visits },
    {
      id: `${run.state.request.seq}/limit/${keys.graph(wiring.name)}/${allowed}`,
      prompt: `The graph "${wiring.name}" has made ${used} visits, and "${place.node}" is next. Go on?`,
    },
  )
}
