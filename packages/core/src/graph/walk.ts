import { AgentError, isAgentError, messageOf, toFailure } from '../error.ts'
import type { Ask } from '../question.ts'
import type { RunContext, Step } from '../run.ts'
import type { AnswerSignal, LimitReachedSignal, Signal } from '../signal.ts'
import { claimNote } from '../step.ts'
import { inBranch, sideBySide } from './branches.ts'
import { END } from './edges.ts'
import type { Wiring } from './forks.ts'
import { begin, keys, latestPlace, moveTo, type Path, type Place, placeOf } from './position.ts'
import { inVisit, visitOf } from './visit.ts'

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

/**
 * Returns the path of a graph. A graph in a node of another one is walked once per visit of that node; any other once
 * per user request.
 */
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

/** Claims the notes of a graph: two graphs of one name would each take the other's place for their own. */
function claim(run: RunContext, key: string, wiring: Wiring): void {
  if (claimNote(run, key, wiring)) return
  throw new AgentError('graph_invalid', `Two graphs of this agent are named "${wiring.name}". Rename one of them.`)
}

/** A walk through a graph, or through a branch of it. */
interface Walk {
  readonly run: RunContext
  readonly wiring: Wiring
  readonly path: Path
}

/** The result of a walk for now: it is over, a node pauses the run, or the run was stopped. */
type Walked = { readonly over: Place } | { readonly rest: Signal } | undefined

/**
 * Continues a walk from its position in the log: visits one node after another, and several concurrently in a fork. The
 * next call continues wherever this one ends.
 */
async function walk(walked: Walk): Promise<Walked> {
  const { run, path } = walked
  if (!placeOf(run.state, path)) begin(run, path)
  for (;;) {
    // Finished visits are in the journal before anything new starts.
    const saved = run.durable()
    if (saved) await saved
    const place = placeOf(run.state, path) as Place
    if (place.over) return { over: place }
    if (run.abortSignal.aborted) return undefined
    const rest = place.forked ? await walkBranches(walked, place) : await visit(walked, place)
    if (rest) return { rest }
  }
}

/** Calls the step of a node, and moves on when it has finished. */
async function visit({ run, wiring, path }: Walk, place: Place): Promise<Signal | undefined> {
  const step = wiring.steps.get(place.node)
  if (!step) throw gone(wiring, place)
  const limit = visitLimit({ run, wiring }, place)
  if (limit) return limit
  const context = inVisit(run, { path, place, step })
  const signal = await call(step, context).catch((error) => Promise.reject(inNode(error, { wiring, place })))
  if (run.abortSignal.aborted) return undefined
  if (signal && signal.type !== 'answer') return signal
  const targets = await follow({ run: context, wiring }, place.node)
  if (run.abortSignal.aborted) return undefined
  const [next = END, ...others] = targets
  const { of, node, visit: number, before, since } = place
  if (others.length > 0) moveTo(run, { key: path.key, of, node, visit: number, before, since, forked: true })
  else arrive({ run, path, from: place }, { node: next, visits: number, answer: signal })
  return undefined
}

const call = async (step: Step, run: RunContext): Promise<Signal | undefined> => step(run)

interface Departure extends Pick<Walk, 'run' | 'path'> {
  readonly from: Place
}
interface Arrival {
  readonly node: string
  /** The number of visits so far. */
  readonly visits: number
  readonly answer: AnswerSignal | undefined
}

function arrive({ run, path, from }: Departure, { node, visits, answer }: Arrival): void {
  const { of, before, since } = from
  const over = node === path.until
  const ended = over && { over, ...(answer && node === END && { answer }) }
  moveTo(run, { key: path.key, of, node, visit: over ? visits : visits + 1, before, since, ...ended })
}

/** Walks all branches of a fork concurrently, and moves on when all have joined. */
async function walkBranches(walked: Walk, place: Place): Promise<Signal | undefined> {
  const { run, wiring, path } = walked
  const fork = wiring.forks.get(place.node)
  if (!fork) throw gone(wiring, place)
  const ends = await sideBySide<Walked>(run, {
    count: fork.targets.length,
    parallel: wiring.parallel,
    work(index, activity) {
      const target = fork.targets[index] ?? END
      const name = `branch "${target}" of the fork "${place.node}" in the graph "${wiring.name}"`
      const own = inBranch(run, { activity, name, silent: target !== fork.talker })
      return walk({ wiring, run: own, path: branchOf(path, { place, target, until: fork.join }) })
    },
  })
  const walks = settled(ends)
  const resting = walks.find((end) => end && 'rest' in end)
  if (resting && 'rest' in resting) return resting.rest
  const over = walks.flatMap((end) => (end && 'over' in end ? [end.over] : []))
  if (over.length < walks.length) return undefined
  const visits = over.reduce((sum, { visit: count }) => sum + count - place.visit, place.visit)
  arrive({ run, path, from: place }, { node: fork.join, visits, answer: over.find(({ answer }) => answer)?.answer })
  return undefined
}

/** Throws the first error, once all branches have ended. */
const settled = (ends: readonly PromiseSettledResult<Walked>[]): readonly Walked[] =>
  ends.map((end) => {
    if (end.status === 'rejected') throw end.reason
    return end.value
  })

interface Branch {
  readonly place: Place
  readonly target: string
  readonly until: string
}

function branchOf({ key, label }: Path, { place, target, until }: Branch): Path {
  const { node, seq, visit: visits, before } = place
  const suffix = keys.branch(node, target)
  return { key: key + suffix, label: label + suffix, of: seq, start: target, until, visits, before }
}

/** Adds the node's name to an error. An error of ours already says what to do. */
function inNode(error: unknown, { wiring: { name }, place: { node } }: { wiring: Wiring; place: Place }): unknown {
  if (isAgentError(error)) return error
  const { code, message, ...more } = toFailure(error, 'step_failed')
  return new AgentError(code, `The node "${node}" of the graph "${name}" failed: ${message}`, { cause: error, ...more })
}

const gone = ({ name }: Wiring, { node, forked }: Place): AgentError =>
  new AgentError(
    'state_invalid',
    `The run is at "${node}" of the graph "${name}", which has no such ${forked ? 'fork' : 'node'} any more. Bring it back, or let the user start again with say().`,
  )

interface Visited {
  /** The run as the node saw it. */
  readonly run: RunContext
  readonly wiring: Wiring
}

/**
 * Returns the targets after a node: one, or those of a fork. Throws if a router chooses a target that it did not
 * declare.
 */
async function follow({ run, wiring }: Visited, node: string): Promise<readonly string[]> {
  const router = wiring.routers.get(node)
  if (!router) return wiring.targets.get(node) ?? []
  const place = `The router of "${node}" in the graph "${wiring.name}"`
  let chosen: unknown
  try {
    chosen = await router.choose(run)
  } catch (error) {
    throw new AgentError('step_failed', `${place} failed: ${messageOf(error)}`, { cause: error })
  }
  if (typeof chosen === 'string' && router.targets.includes(chosen)) return [chosen]
  const given = chosen === undefined ? 'nothing' : JSON.stringify(chosen)
  const targets = router.targets.map((target) => JSON.stringify(target)).join(', ')
  throw new AgentError('step_failed', `${place} chose ${given}, which is none of its targets: ${targets}.`)
}

interface Limited {
  readonly run: RunContext
  readonly wiring: Wiring
}

/**
 * Pauses the run before a visit beyond the limit. The signal has a question: the reply allows more visits, or ends the
 * run.
 */
function visitLimit({ run, wiring }: Limited, place: Place): LimitReachedSignal | undefined {
  const allowed = wiring.visits + (run.state.extensions.visits ?? 0)
  const used = place.visit - 1 - place.before
  if (used < allowed) return undefined
  const id = `${run.state.request.seq}/limit/${keys.graph(wiring.name)}/${allowed}`
  const prompt = `The graph "${wiring.name}" has made ${used} visits, and "${place.node}" is next. Go on?`
  const ask: Ask = { kind: 'extension', prompt, limit: 'visits', used, allowed, suggested: wiring.visits, id }
  if (!run.state.asks.some((open) => open.id === id)) run.emit({ type: 'asked', ask })
  return { type: 'limitReached', limit: 'visits', used, allowed, ask }
}
