import { AgentError, isAgentError, toFailure } from '../error.ts'
import type { RunContext, Step } from '../run.ts'
import type { AnswerSignal, Signal } from '../signal.ts'
import { inBranch, silent } from './branchContext.ts'
import { follow } from './follow.ts'
import { END } from './graphShape.ts'
import { begin, type Path } from './path.ts'
import { keys, moveTo, type Place, placeOf } from './place.ts'
import { sideBySide } from './sideBySide.ts'
import { inVisit } from './visit.ts'
import { visitLimit } from './visitLimit.ts'
import type { Branching, Wiring } from './wiring.ts'

/** A walk through a graph, or through a branch of it. */
interface Walk {
  readonly run: RunContext
  readonly wiring: Wiring
  readonly path: Path
}

/** How a walk ended for now: it is over, a node rests the run, or the run was stopped. */
export type Walked = { readonly over: Place } | { readonly rest: Signal } | undefined

/**
 * Goes on from where the log says that the walk stands: visits one node after another, and several side by side where the
 * graph forks. Whatever ends it, the next call goes on from the same place.
 */
export async function walk(walked: Walk): Promise<Walked> {
  const { run, path } = walked
  if (!placeOf(run.state, path)) begin(run, path)
  for (;;) {
    // What was visited is in the journal before anything new is done.
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
  const limit = visitLimit(run, wiring, place)
  if (limit) return limit
  const context = inVisit(run, { path, place, step })
  const signal = await call(step, context).catch((error) => Promise.reject(inNode(error, wiring, place)))
  if (run.abortSignal.aborted) return undefined
  if (signal && signal.type !== 'answer') return signal
  const targets = await follow(context, wiring, place.node)
  if (run.abortSignal.aborted) return undefined
  const [next = END, ...others] = targets
  const { of, node, visit: number, before, since } = place
  if (others.length > 0) moveTo(run, path.key, { of, node, visit: number, before, since, forked: true })
  else arrive({ run, path }, place, { node: next, visits: number, answer: signal })
  return undefined
}

const call = async (step: Step, run: RunContext): Promise<Signal | undefined> => step(run)

interface Arrival {
  readonly node: string
  /** Visits that were made by now. */
  readonly visits: number
  readonly answer: AnswerSignal | undefined
}

function arrive({ run, path }: Pick<Walk, 'run' | 'path'>, from: Place, { node, visits, answer }: Arrival): void {
  const { of, before, since } = from
  const over = node === path.until
  const ended = over && { over, ...(answer && node === END && { answer }) }
  moveTo(run, path.key, { of, node, visit: over ? visits : visits + 1, before, since, ...ended })
}

/** Goes along all branches of a fork, and moves on when all have joined. A fault is told when nothing is under way any more. */
async function walkBranches(walked: Walk, place: Place): Promise<Signal | undefined> {
  const { run, wiring, path } = walked
  const fork = wiring.forks.get(place.node)
  if (!fork) throw gone(wiring, place)
  const ends = await sideBySide<Walked>(run, {
    count: fork.targets.length,
    parallel: wiring.parallel,
    work: (index, activity) =>
      walkBranch({ ...walked, run: inBranch(run, activity) }, place, fork.targets[index] ?? END),
  })
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  const results = ends.map((end) => (end.status === 'fulfilled' ? end.value : undefined))
  for (const result of results) if (result && 'rest' in result) return result.rest
  const over = results.flatMap((result) => (result && 'over' in result ? [result.over] : []))
  if (over.length < ends.length) return undefined
  const visits = over.reduce((sum, { visit: count }) => sum + count - place.visit, place.visit)
  arrive({ run, path }, place, { node: fork.join, visits, answer: over.find(({ answer }) => answer)?.answer })
  return undefined
}

function walkBranch(
  { run, wiring, path }: Walk,
  { node, seq, visit: visits, before }: Place,
  target: string,
): Promise<Walked> {
  const { join, talker } = wiring.forks.get(node) as Branching
  const suffix = keys.branch(node, target)
  const branch = {
    key: path.key + suffix,
    label: path.label + suffix,
    of: seq,
    start: target,
    until: join,
    visits,
    before,
  }
  const name = `branch "${target}" of the fork "${node}" in the graph "${wiring.name}"`
  return walk({ run: target === talker ? run : silent(run, name), wiring, path: branch })
}

/** What a node throws, with the name of the node. An error of ours says by itself what to do. */
function inNode(error: unknown, { name }: Wiring, { node }: Place): unknown {
  if (isAgentError(error)) return error
  const { code, message, ...more } = toFailure(error, 'step_failed')
  return new AgentError(code, `The node "${node}" of the graph "${name}" failed: ${message}`, { cause: error, ...more })
}

const gone = ({ name }: Wiring, { node, forked }: Place): AgentError =>
  new AgentError(
    'state_invalid',
    `The run stands at "${node}" of the graph "${name}", which has no such ${forked ? 'fork' : 'node'} any more. Bring it back, or let the user begin anew with say().`,
  )
