import { AgentError, isAgentError, toFailure } from '../error.ts'
import type { RunContext, Step } from '../run.ts'
import type { AnswerSignal, Signal } from '../signal.ts'
import { follow } from './follow.ts'
import { END } from './graphShape.ts'
import { inBranch } from './inBranch.ts'
import { inVisit } from './inVisit.ts'
import { begin, type Path } from './path.ts'
import { keys, moveTo, type Place, placeOf } from './place.ts'
import { sideBySide } from './sideBySide.ts'
import { visitLimit } from './visitLimit.ts'
import type { Wiring } from './wiring.ts'

/** A walk through a graph, or through a branch of it. */
interface Walk {
  readonly run: RunContext
  readonly wiring: Wiring
  readonly path: Path
}

/** The result of a walk for now: it is over, a node pauses the run, or the run was stopped. */
export type Walked = { readonly over: Place } | { readonly rest: Signal } | undefined

/**
 * Continues a walk from its position in the log: visits one node after another, and several concurrently in a fork.
 * Whatever ends it, the next call continues there.
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
  /** Visits that were made by now. */
  readonly visits: number
  readonly answer: AnswerSignal | undefined
}

function arrive({ run, path, from }: Departure, { node, visits, answer }: Arrival): void {
  const { of, before, since } = from
  const over = node === path.until
  const ended = over && { over, ...(answer && node === END && { answer }) }
  moveTo(run, { key: path.key, of, node, visit: over ? visits : visits + 1, before, since, ...ended })
}

/** Goes along all branches of a fork, and moves on when all have joined. */
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
