import { DEV } from '#checks'
import { copyJson, type Json, toJson } from '../json.ts'
import { assertOption } from '../options.ts'
import { combine, createPlanner, type TurnPlan } from '../plan.ts'
import type { Activity, Agent, RunContext, Step } from '../run.ts'
import { noteOf, type RunState } from '../state.ts'
import { derivedAgent, ofRequest, type RequestNote } from '../step.ts'
import type { TypedQuestion } from '../typedQuestion.ts'
import { type Path, type Place, toKey } from './position.ts'

/** One visit of a node, as its step sees it. */
export interface Visit extends Pick<Place, 'node' | 'seq' | 'iteration'> {
  /** The key of the walk that it belongs to, or of the branch. */
  readonly key: string
  /** Its number in that walk, the same for no other visit of the run. */
  readonly number: number
  /** The keys of the values that were set since the step was called. Older ones were set before a crash or a pause. */
  readonly written: Set<string>
  /** Forgets the plan of the next turn, as the end of a pass does. */
  forget(): void
}

const visiting = Symbol('visit')

/** Returns the visit that a step is called for. Undefined outside of graphs. */
export const visitOf = (run: object): Visit | undefined => (run as { [visiting]?: Visit })[visiting]

/**
 * Returns the run as a node's step sees it. Its questions and its `once` belong to the visit: the next visit of the
 * node asks again, a resumed visit does not. Its plan for a turn does not apply to the next visit.
 */
export function inVisit(run: RunContext, path: Path, place: Place, step: Step): RunContext {
  const { node, seq, iteration, visit } = place
  const prefix = `${path.label}/${visit}`
  const { of, change, forget } = createPlanner()
  const turn = (): number => run.state.iteration + 1
  return run.with({
    ask: (key: string, question: TypedQuestion<unknown>) => run.ask(`${prefix}/${key}`, question),
    once: (key: string, fn: () => Json | PromiseLike<Json>) => run.once(`${prefix}/${key}`, fn),
    get plan(): TurnPlan {
      return combine(run.plan, of(turn()))
    },
    replan: (plan: TurnPlan) => change(turn(), plan),
    [visiting]: {
      node,
      seq,
      iteration,
      number: visit,
      key: path.key,
      written: new Set(),
      forget,
    } satisfies Visit,
    ...instructedBy(step, run),
  })
}

/** A branch of a visit, and what it runs. */
export interface Branch {
  readonly name: string
  readonly step: Step
  readonly visit: Visit
  /** The key of the note with its end. */
  readonly key: string
}

/** Returns the run as a branch sees it: a visit of its own, with its own questions. */
export function inBranch(run: RunContext, activity: Activity, { name, step, visit, key }: Branch): RunContext {
  const prefix = `${key}/${visit.number}`
  return run.with<Pick<RunContext, 'ask' | 'once' | 'activity'> & { [visiting]: Visit }>({
    ask: (id, question) => activity.ask(`${prefix}/${id}`, question),
    once: (id, fn) => activity.once(`${prefix}/${id}`, fn),
    activity: (call) => activity.activity(call),
    [visiting]: { ...visit, node: name, key, written: new Set() },
    ...instructedBy(step, run),
  })
}

/** Returns the agent whose model gets the instructions of the visited node only. */
const instructedBy = (step: Step, { agent }: RunContext): { agent?: Agent } =>
  step.instructions === undefined ? {} : { agent: derivedAgent(agent, { backend: step }) }

/** A value that nodes pass to each other. */
export interface Value<T> {
  /** Returns the value in a run, in its context in a step, or in anything else with its state. */
  get(run: { readonly state: RunState }): T
  /** Returns undefined, so that a node may consist of just this call. */
  set(run: RunContext, value: T): undefined
}

/** A value as it is stored in the log. */
interface StoredValue extends RequestNote {
  readonly value: Json
  /** The `seq` of the visit that set it, and the value before that visit. */
  readonly visit?: number
  readonly before?: Json
}

/**
 * Creates a typed value that nodes pass on through the log: a draft, a score, a counter. Each user request resets it. A
 * visit's value counts once the visit is finished: a visit that is repeated after a crash reads the same values as
 * before.
 */
export function value(key: string, initial: boolean): Value<boolean>
export function value<T>(key: string, initial: T & Json): Value<T>
export function value<T>(name: string, initial: T & Json): Value<T> {
  assertOption(typeof name === 'string' && name, DEV && 'A value needs a name: value("attempts", 0).')
  const slot = { key: `value/${toKey(name)}`, first: toJson(initial) }
  return Object.freeze({
    // A node may change the value before it sets it, so it gets a copy: the state has its own.
    get: (run: { readonly state: RunState }) => copyJson(read(run, slot)) as T,
    set(run: RunContext, next: T): undefined {
      const visit = visitOf(run)
      const request = run.state.request.seq
      const before = visit && { visit: visit.seq, before: beforeVisit(run.state, { ...slot, visit: visit.seq }) }
      run.emit({ type: 'noted', key: slot.key, value: { request, value: toJson(next), ...before } })
      visit?.written.add(slot.key)
    },
  })
}

/** The key of a value in the notes, and the value before it is set. */
interface Slot {
  readonly key: string
  readonly first: Json
}

function read(run: { readonly state: RunState }, slot: Slot): Json {
  const visit = visitOf(run)
  if (visit && !visit.written.has(slot.key)) return beforeVisit(run.state, { ...slot, visit: visit.seq })
  const stored = storedIn(run.state, slot.key)
  return stored ? stored.value : slot.first
}

/** Returns the value that this request has stored. */
const storedIn = (state: RunState, key: string): StoredValue | undefined =>
  ofRequest(noteOf<StoredValue>(state, key), state)

/** Returns the value at the start of a visit, also if the visit has changed it since. */
function beforeVisit(state: RunState, { key, first, visit }: Slot & { readonly visit: number }): Json {
  const stored = storedIn(state, key)
  if (!stored) return first
  return stored.visit === visit && stored.before !== undefined ? stored.before : stored.value
}
