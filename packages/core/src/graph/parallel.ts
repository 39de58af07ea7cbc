import { checkOptions, DEV } from '#checks'
import { AgentError } from '../error.ts'
import type { EventBody, LiveEvent } from '../event.ts'
import { isJournalFault } from '../journal.ts'
import { asJson } from '../json.ts'
import { assertOption } from '../options.ts'
import type { Activity, Clock, RunContext, Step } from '../run.ts'
import type { Signal } from '../signal.ts'
import { claimNote } from '../step.ts'
import { listed, type ParallelNode } from './edges.ts'
import { type GraphNode, isThinking, madeOf, toSteps } from './nodes.ts'
import { type BranchEnd, branchEnd, keys } from './position.ts'
import { type Branch, inBranch, visitOf } from './visit.ts'
import { call } from './walk.ts'

export interface ParallelOptions {
  /** The maximum of branches that run at once; 8 by default. One that waits for a user makes room. */
  concurrency?: number
}

/**
 * Makes a node that runs branches side by side, each a step or an agent. The visit is over when all branches are; its
 * answer is that of the first branch that has one. A branch with several nodes is a graph. Only one branch may talk to
 * the model, since a run has one conversation: `inOwnRun` gives an agent its own.
 *
 * @example
 * const trip = graph({
 *   name: 'trip',
 *   nodes: { search: parallel({ trains: findTrains, flights: findFlights }), compare },
 *   start: 'search',
 *   edges: { search: 'compare', compare: END },
 * })
 */
export function parallel(branches: Readonly<Record<string, GraphNode>>, options: ParallelOptions = {}): Step {
  checkOptions('parallel()', options, ['concurrency'])
  const { concurrency = 8 } = options
  assertOption(concurrency >= 1, DEV && `parallel() has concurrency: ${concurrency}. Use 1 or more.`)
  const steps = toSteps(Object(branches))
  const fit = steps.size > 0 && [...steps.values()].every((step) => typeof step === 'function')
  assertOption(
    fit,
    DEV && 'parallel() takes steps or agents by name: parallel({ trains: findTrains, flights: findFlights }).',
  )
  const thinking = [...steps].flatMap(([name, step]) => (isThinking(step) ? [name] : []))
  if (thinking.length > 1) throw talking(`The branches ${listed(thinking)} of parallel() all think.`)

  const step = async (run: RunContext): Promise<Signal | undefined> => {
    const inside = branchesIn(run, steps)
    const signals = await sideBySide(run, concurrency, inside)
    if (run.abortSignal.aborted) return undefined
    return signals.find((signal) => signal) ?? join(run, inside)
  }
  return madeOf(Object.assign(step, { [branching]: [...steps.keys()] }), [...steps.values()])
}

const branching = Symbol('branches')

/** Returns a node with its branches, if its step is one of `parallel()`. */
export function branchesOf(node: string, step: object): ParallelNode[] {
  const branches = (step as { [branching]?: readonly string[] } | undefined)?.[branching]
  return branches ? [Object.freeze({ node, branches: Object.freeze(branches) })] : []
}

/** Returns the branches of the visit of this run. */
function branchesIn(run: RunContext, steps: ReadonlyMap<string, Step>): readonly Branch[] {
  const visit = visitOf(run)
  if (!visit)
    throw new AgentError('graph_invalid', DEV && 'parallel() works in a graph: graph({ nodes: { a: parallel(…) } }).')
  return [...steps].map(([name, step]) => {
    const key = keys.branch(visit.key, visit.node, name)
    if (claimNote(run, key, steps)) return { name, key, step, visit }
    const problem = `The node "${visit.node}" has two parallel() with a branch "${name}".`
    throw new AgentError('graph_invalid', DEV && `${problem} Give each a node of its own.`)
  })
}

const endOf = (run: RunContext, { key, visit }: Branch): BranchEnd | undefined => branchEnd(run.state, key, visit.seq)

/** Runs a branch that has not ended. Returns the signal if it pauses the run. */
async function runBranch(run: RunContext, branch: Branch, activity: Activity): Promise<Signal | undefined> {
  if (run.abortSignal.aborted) return undefined
  if (!endOf(run, branch)) {
    const { name, step, visit, key } = branch
    const owner = `The branch "${name}" of the node "${visit.node}"`
    const own = inBranch(run, activity, branch)
    const signal = await call(step, isThinking(step) ? own : silent(own, owner), owner)
    if (run.abortSignal.aborted) return undefined
    if (signal && signal.type !== 'answer') return signal
    const written = [...(visitOf(own)?.written ?? [])]
    const end: BranchEnd = { of: visit.seq, written, ...(signal && { answer: signal }) }
    run.emit({ type: 'noted', key, value: asJson(end) })
  }
  // The others may take long, and a crash must not lose this end.
  await run.durable()
  return undefined
}

/** Ends the visit: it has the values of its branches now, and the first answer. */
function join(run: RunContext, branches: readonly Branch[]): Signal | undefined {
  const ends = branches.flatMap((branch) => endOf(run, branch) ?? [])
  for (const key of ends.flatMap(({ written }) => written)) visitOf(run)?.written.add(key)
  return ends.find(({ answer }) => answer)?.answer
}

/** Runs all branches until each has ended or pauses the run. One that waits for a user makes room for another. */
async function sideBySide(
  run: RunContext,
  concurrency: number,
  branches: readonly Branch[],
): Promise<readonly (Signal | undefined)[]> {
  const recovery = run.engine?.recovery(run)
  const room = roomFor(concurrency)
  const ends = branches.map(async (branch) => {
    let activity: Activity | undefined
    const attempt = async (): Promise<Signal | undefined> => {
      // It is there before its turn comes, since the run pauses when all activities wait.
      const own = run.activity()
      const place = room()
      activity = own
      own.clock = place
      try {
        await place.enter()
        return await runBranch(run, branch, own)
      } catch (error) {
        if (isJournalFault(error)) own.end()
        throw error
      } finally {
        place.stop()
      }
    }
    try {
      return await (recovery ? recovery.through(attempt) : attempt())
    } finally {
      activity?.end()
    }
  })
  const settled = await Promise.allSettled(ends)
  return settled.map((end) => {
    if (end.status === 'rejected') throw end.reason
    return end.value
  })
}

/**
 * Creates room for so many branches at a time. The place of each is also its clock: one that waits for a user leaves it, and
 * has left it if it fails meanwhile.
 */
function roomFor(concurrency: number): () => Clock & { enter(): Promise<void> } {
  const queue: (() => void)[] = []
  let busy = 0
  return () => {
    let isTaken = false
    const start = (): void => {
      if (!isTaken) busy++
      isTaken = true
    }
    return {
      async enter() {
        while (busy >= concurrency) await new Promise<void>((resolve) => queue.push(resolve))
        start()
      },
      start,
      stop() {
        if (!isTaken) return
        isTaken = false
        if (--busy < concurrency) queue.shift()?.()
      },
    }
  }
}

/** Returns a run that cannot talk to the model, since another branch may, and turns of two branches would mix. */
function silent(run: RunContext, owner: string): RunContext {
  const checked = <E extends { readonly type: string }>(event: E): E => {
    if (talk.has(event.type)) throw talking(`${owner} calls the model, but is not declared to do so.`)
    return event
  }
  return run.with({
    emit: (event: EventBody) => run.emit(checked(event)),
    live: (event: LiveEvent) => run.live(checked(event)),
  })
}

const talk: ReadonlySet<string> = new Set([
  'thinking',
  'said',
  'thought',
  'claimed',
  'observed',
  'amended',
  'compacted',
])

const talking = (problem: string): AgentError =>
  new AgentError(
    'graph_invalid',
    DEV &&
      `${problem} A run has one conversation: wrap one branch in untilAnswer(), and give the agents of others runs of their own with inOwnRun().`,
  )
