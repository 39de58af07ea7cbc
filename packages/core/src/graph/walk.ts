import { ignore } from '../engine/wait.ts'
import { AgentError, isAgentError, messageOf, toFailure } from '../error.ts'
import type { EventBody, LiveEvent } from '../event.ts'
import { isJournalFault } from '../journal.ts'
import type { Ask } from '../question.ts'
import type { Activity, Clock, RunContext, Step } from '../run.ts'
import type { AnswerSignal, LimitReachedSignal, Signal } from '../signal.ts'
import { claimNote } from '../step.ts'
import { type EdgesTo, END, isRouter, toEdges } from './edges.ts'
import type { Branching } from './forks.ts'
import { begin, keys, latestPlace, moveTo, type Path, type Place, placeOf, positionAt } from './position.ts'
import { inVisit, visitOf } from './visit.ts'

/** A graph for walking, by node names. */
export interface Wiring {
  readonly name: string
  readonly start: string
  readonly steps: ReadonlyMap<string, Step>
  readonly edges: ReadonlyMap<string, EdgesTo<string>>
  readonly forks: ReadonlyMap<string, Branching>
  /** The maximum number of visits of a walk. */
  readonly visits: number
  /** The maximum of concurrent branches. */
  readonly parallel: number
}

/** Makes a graph a step. One call walks to the end, or until a node pauses the run. */
export function walkGraph(wiring: Wiring): Step {
  return async (run: RunContext): Promise<Signal | undefined> => {
    const path = pathOf(run, wiring)
    // Two graphs of one name would share one position.
    if (!claimNote(run, path.key, wiring))
      throw new AgentError('graph_invalid', `Two graphs of this agent are named "${wiring.name}". Rename one of them.`)
    if (hasNewMessage(run, path)) begin(run, path)
    const walked = await walk({ run, wiring, path })
    if (!walked) return undefined
    return 'rest' in walked ? walked.rest : walked.over.answer
  }
}

/** Returns the path of a graph, which is walked once per user request, or per visit of the node that it is in. */
function pathOf(run: RunContext, { name, start, forks }: Wiring): Path {
  const visit = visitOf(run)
  const key = visit ? keys.inner(visit.key, visit.node, name) : keys.graph(name)
  const place = latestPlace(run.state, key)
  const targetsOf = (node: string) => forks.get(node)?.targets ?? []
  // A walk may have been given up in the middle of a fork.
  const visits = place ? positionAt({ state: run.state, targetsOf }, key, place).visits : 0
  const of = visit?.seq ?? run.state.request.seq
  return { key, label: keys.graph(name), of, start, until: END, visits, before: visits }
}

/** Returns true if a user message arrived after the graph's answer: no node received it, so it restarts the graph. */
function hasNewMessage(run: RunContext, path: Path): boolean {
  const place = visitOf(run) ? undefined : placeOf(run.state, path)
  if (!place?.answer) return false
  return run.state.pending.some(({ by, seq }) => by === 'user' && seq > place.since)
}

/** A walk through a graph, or through a branch of it. */
interface Walk {
  readonly run: RunContext
  readonly wiring: Wiring
  readonly path: Path
}

/** The current result of a walk: it is over, a node pauses the run, or the run was stopped. */
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
  if (!step) throw missing(wiring, place)
  const limit = visitLimit(run, wiring, place)
  if (limit) return limit
  const context = inVisit(run, path, place, step)
  const signal = await call(step, context).catch((error) => Promise.reject(inNode(error, wiring, place)))
  if (run.abortSignal.aborted) return undefined
  if (signal && signal.type !== 'answer') return signal
  const [next = END, ...others] = await targetsAfter(context, wiring, place.node)
  if (run.abortSignal.aborted) return undefined
  const { of, node, visit: number, before, since } = place
  if (others.length > 0) moveTo(run, path.key, { of, node, visit: number, before, since, forked: true })
  else arrive(run, path, { ...place, node: next, answer: signal })
  return undefined
}

const call = async (step: Step, run: RunContext): Promise<Signal | undefined> => step(run)

/** Moves on to a node, after this number of visits. */
function arrive(run: RunContext, { key, until }: Path, { of, node, visit, before, since, answer }: Arrival): void {
  const over = node === until
  const ended = over && { over, ...(answer && node === END && { answer }) }
  moveTo(run, key, { of, node, visit: over ? visit : visit + 1, before, since, ...ended })
}

type Arrival = Omit<Place, 'answer'> & { readonly answer: AnswerSignal | undefined }

/** Walks all branches of a fork concurrently, and moves on when all have joined. */
async function walkBranches(walked: Walk, place: Place): Promise<Signal | undefined> {
  const { run, wiring, path } = walked
  const fork = wiring.forks.get(place.node)
  if (!fork) throw missing(wiring, place)
  const ends = await sideBySide(run, wiring.parallel, fork.targets, (target, activity) => {
    const name = `branch "${target}" of the fork "${place.node}" in the graph "${wiring.name}"`
    const own = inBranch(run, activity, target === fork.talker ? undefined : name)
    const suffix = keys.branch(place.node, target)
    const [key, label] = [path.key + suffix, path.label + suffix]
    const { seq: of, visit: visits, before } = place
    return walk({ wiring, run: own, path: { key, label, of, start: target, until: fork.join, visits, before } })
  })
  const walks = ends.map((end) => {
    if (end.status === 'rejected') throw end.reason
    return end.value
  })
  const resting = walks.find((end) => end && 'rest' in end)
  if (resting && 'rest' in resting) return resting.rest
  const over = walks.flatMap((end) => (end && 'over' in end ? [end.over] : []))
  if (over.length < walks.length) return undefined
  const visit = over.reduce((sum, { visit: count }) => sum + count - place.visit, place.visit)
  arrive(run, path, { ...place, node: fork.join, visit, answer: over.find(({ answer }) => answer)?.answer })
  return undefined
}

/** Adds the node's name to an error. An error of ours already says what to do. */
function inNode(error: unknown, { name }: Wiring, { node }: Place): unknown {
  if (isAgentError(error)) return error
  const { code, message, ...more } = toFailure(error, 'step_failed')
  return new AgentError(code, `The node "${node}" of the graph "${name}" failed: ${message}`, { cause: error, ...more })
}

const missing = ({ name }: Wiring, { node, forked }: Place): AgentError =>
  new AgentError(
    'state_invalid',
    `The run is at "${node}" of the graph "${name}", which has no such ${forked ? 'fork' : 'node'} any more. Bring it back, or let the user start again with say().`,
  )

/** Returns the targets after a node: one, or those of a fork. Throws if a router chooses an undeclared one. */
async function targetsAfter(run: RunContext, wiring: Wiring, node: string): Promise<readonly string[]> {
  const router = wiring.edges.get(node)
  if (!isRouter(router)) return toEdges(node, router).map(({ to }) => to)
  const owner = `The router of "${node}" in the graph "${wiring.name}"`
  let chosen: unknown
  try {
    chosen = await router.choose(run)
  } catch (error) {
    throw new AgentError('step_failed', `${owner} failed: ${messageOf(error)}`, { cause: error })
  }
  if (typeof chosen === 'string' && router.targets.includes(chosen)) return [chosen]
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
  const id = `${run.state.request.seq}/limit/${keys.graph(wiring.name)}/${allowed}`
  const prompt = `The graph "${wiring.name}" has made ${used} visits, and "${place.node}" is next. Go on?`
  const ask: Ask = { kind: 'extension', prompt, limit: 'visits', used, allowed, suggested: wiring.visits, id }
  if (!run.state.asks.some((open) => open.id === id)) run.emit({ type: 'asked', ask })
  return { type: 'limitReached', limit: 'visits', used, allowed, ask }
}

/**
 * Runs a task for each target, up to `parallel` at a time. A task that waits for a user makes room for the next.
 * Settles when all have ended.
 */
function sideBySide<T>(
  run: RunContext,
  parallel: number,
  targets: readonly string[],
  work: (target: string, activity: Activity) => Promise<T>,
): Promise<readonly PromiseSettledResult<T>[]> {
  const ends: Promise<T>[] = []
  const recovery = run.engine?.recovery(run)
  let next = 0
  let busy = 0
  return new Promise((resolve) => {
    const fill = (): void => {
      while (busy < parallel && next < targets.length) start(next++)
      if (next === targets.length) resolve(Promise.allSettled(ends))
    }
    const clock: Clock = {
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
        activity.clock = clock
        try {
          return await work(targets[index] ?? END, activity)
        } catch (error) {
          if (isJournalFault(error)) activity?.end()
          throw error
        }
      }
      ends[index] = (recovery ? recovery.through(attempt) : attempt()).finally(() => {
        busy--
        // The next begins before this one ends. Otherwise all remaining activities might seem to wait.
        fill()
        activity?.end()
      })
      // Nothing else handles a failure before the last branch begins.
      ends[index].catch(ignore)
    }
    fill()
  })
}

/** Returns a run as a branch sees it, with its own questions. A branch named `silent` may not call the model. */
function inBranch(run: RunContext, activity: Activity, silent: string | undefined): RunContext {
  const own = run.with<Pick<RunContext, 'ask' | 'once' | 'activity'>>({
    ask: (key, question) => activity.ask(key, question),
    once: (key, fn) => activity.once(key, fn),
    activity: (call) => activity.activity(call),
  })
  return silent === undefined ? own : silenced(own, silent)
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
    if (!talk.has(type)) return
    const advice = 'Only one branch of a fork may: wrap its node in untilAnswer().'
    const problem = `The ${branch} calls the model, but is not declared to do so. ${advice}`
    throw new AgentError('graph_invalid', problem)
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
