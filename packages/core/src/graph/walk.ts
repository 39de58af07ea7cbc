import { AgentError, isAgentError, messageOf, toFailure } from '../error.ts'
import type { EventBody, LiveEvent } from '../event.ts'
import { isJournalFault } from '../journal.ts'
import type { Ask } from '../question.ts'
import type { Activity, Clock, RunContext, Step } from '../run.ts'
import type { AnswerSignal, LimitReachedSignal, Signal } from '../signal.ts'
import { claimNote } from '../step.ts'
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

interface SideBySide<T> {
  readonly count: number
  /** The maximum that runs concurrently. One that waits for a user makes room for the next. */
  readonly parallel: number
  work(index: number, activity: Activity): Promise<T>
}

/** Runs several tasks concurrently, each of which may wait for users on its own. Settles when all have ended. */
export function sideBySide<T>(
  run: RunContext,
  { count, parallel, work }: SideBySide<T>,
): Promise<readonly PromiseSettledResult<T>[]> {
  const ends: Promise<T>[] = []
  const recovery = run.engine?.recovery(run)
  let next = 0
  let busy = 0
  return new Promise((resolve) => {
    const fill = (): void => {
      while (busy < parallel && next < count) start(next++)
      if (next === count) resolve(Promise.allSettled(ends))
    }
    /** A branch that waits makes room for the next one. */
    const place: Clock = {
      start() {
        busy++
      },
      stop() {
        busy--
        fill()
      },
    }
    const start = (index: number): void => {
      busy++
      let activity: Activity | undefined
      const attempt = async (): Promise<T> => {
        activity = run.activity()
        activity.clock = place
        try {
          return await work(index, activity)
        } catch (error) {
          if (isJournalFault(error)) activity?.end()
          throw error
        }
      }
      ends[index] = (recovery ? recovery.through(attempt) : attempt()).finally(() => {
        busy--
        // The next begins before this one ends: else those that wait might seem to be all there is.
        fill()
        activity?.end()
      })
    }
    fill()
  })
}

interface BranchOptions {
  readonly activity: Activity
  readonly name: string
  readonly silent: boolean
}

/** Returns a run as a branch of a fork sees it: the branch waits for its own questions. */
export function inBranch(run: RunContext, { activity, name, silent }: BranchOptions): RunContext {
  const own = run.with<Pick<RunContext, 'ask' | 'once' | 'activity'>>({
    ask: (key, question) => activity.ask(key, question),
    once: (key, fn) => activity.once(key, fn),
    activity: (call) => activity.activity(call),
  })
  return silent ? silenced(own, name) : own
}

const talk: ReadonlySet<(EventBody | LiveEvent)['type']> = new Set([
  'thinking',
  'said',
  'thought',
  'called',
  'observed',
  'amended',
  'compacted',
])

/** Returns a run that cannot talk to the model, since another branch may, and turns of two branches would mix. */
function silenced(run: RunContext, branch: string): RunContext {
  const check = ({ type }: { type: (EventBody | LiveEvent)['type'] }): void => {
    if (talk.has(type)) throw talksInBranch(branch)
  }
  return run.with({
    emit(event: EventBody): void {
      check(event)
      run.emit(event)
    },
    live(event: LiveEvent): void {
      check(event)
      run.live(event)
    },
  })
}

const talksInBranch = (branch: string): AgentError =>
  new AgentError(
    'graph_invalid',
    `The ${branch} talks to the model, and nothing says that it does. Only one branch of a fork may: wrap its node in untilAnswer().`,
  )
