import { DEV } from '#checks'
import { AgentError } from './error.ts'
import { cached } from './json.ts'
import { assertOption } from './options.ts'
import type { Activity, Agent, RunContext, Step } from './run.ts'
import { type FailedSignal, failed, type LimitName, type Signal } from './signal.ts'
import {
  awaitsProvider,
  type Call,
  itemAt,
  latestTurn,
  lengthOf,
  noteOf,
  openCalls,
  type RunState,
  type Turn,
} from './state.ts'
import { type Decision, failedOutcome, type ToolContext, type ToolSpec } from './tool.ts'

/** The requirements of a step on its agent. A wrapper passes on those of the wrapped step. */
type Needs = Pick<Step, 'tools' | 'instructions' | 'mayCall' | 'ownModel'>

export const needsOf = ({ tools, instructions, mayCall, ownModel }: Step): Needs => ({
  ...(tools && { tools }),
  ...(instructions !== undefined && { instructions }),
  ...(mayCall !== undefined && { mayCall }),
  ...(ownModel !== undefined && { ownModel }),
})

/** Makes one step of several: it runs them in order until one signals. Backends are made with it. */
export function inOrder(...steps: readonly Step[]): Step {
  const fit = steps.length > 0 && steps.every((step) => typeof step === 'function')
  assertOption(fit, DEV && 'inOrder() needs steps, such as textAnswer() or functions of a run.')
  const pass = async (run: RunContext): Promise<Signal | undefined> => {
    for (const step of steps) {
      if (run.abortSignal.aborted) return undefined
      const result = step(run)
      const signal = result && 'then' in Object(result) ? await result : result
      if (signal) return signal
    }
    return undefined
  }
  const tools: Step['tools'] = (agent) => steps.flatMap((step) => step.tools?.(agent) ?? [])
  const mayCall = steps.some((step) => step.mayCall)
  const instructions = steps.flatMap((step) => step.instructions ?? []).join('\n\n')
  return Object.assign(pass, { tools, mayCall, ...(instructions && { instructions }) })
}

/** Returns true for an agent, by its backend: a page may contain several copies of this package. */
export const isAgent = (value: unknown): value is Agent =>
  typeof value === 'object' && value !== null && 'backend' in value && typeof value.backend === 'function'

/** The agents that a step hands its run to. */
const handed = new WeakMap<Step, readonly Agent[]>()

/** Returns the agents that these steps hand their run to, and those that these hand it to. */
export const agentsOf = (steps: Iterable<Step>): readonly Agent[] =>
  [...steps].flatMap((step) => handed.get(step) ?? [])

/** Notes the agents that a step hands its run to. */
export function handsTo<S extends Step>(step: S, agents: readonly Agent[]): S {
  handed.set(step, [...new Set([...agents, ...agentsOf(agents.map(({ backend }) => backend))])])
  return step
}

/**
 * Returns the problem with agents that work on the same run. A user who always allows a tool sees its name, its
 * description and the name of its agent, so two different tools must not share all three.
 */
export function confusionOf(agents: readonly Agent[]): string | undefined {
  const asking = new Map<string, ToolSpec>()
  for (const { name, tools } of new Set(agents)) {
    for (const spec of Object.values(tools)) {
      if (!spec.approve) continue
      const key = JSON.stringify([name, spec.name, spec.description])
      if ((asking.get(key) ?? spec).execute !== spec.execute)
        return `two agents are named "${name}", and each has a tool "${spec.name}" that asks for approval`
      asking.set(key, spec)
    }
  }
  return undefined
}

/** The advice for that problem. */
export const renameOne = 'what a user allows the one would be allowed to the other: give the agents different names'

/**
 * Returns a copy of an agent, or of a handle, with some members replaced. A spread would read getters once, such as the
 * tools of a source, and would lose inherited members.
 */
export function derivedAgent<A extends object, Changes extends object>(agent: A, changes: Changes): A & Changes {
  const members = { ...Object.getOwnPropertyDescriptors(agent), ...Object.getOwnPropertyDescriptors(changes) }
  return Object.freeze(Object.create(Object.getPrototypeOf(agent), members))
}

/** The owner of each note, per running run. The prompt is the same object wherever the run is passed on. */
const owners = new WeakMap<RunContext['prompt'], Map<string, object>>()

/** Claims a note of the run for one owner: two would each mistake the other's progress for their own. */
export function claimNote({ prompt }: RunContext, key: string, owner: object): boolean {
  const known = cached(owners, prompt, () => new Map<string, object>())
  if (!known.has(key)) known.set(key, owner)
  return known.get(key) === owner
}

/** Returns the `seq` up to which messages may be in the next turn. Later ones wait. */
export const readUntilOf = ({ state, plan: { readUntil: planned = state.seq } }: RunContext): number =>
  state.pending.find(({ by, seq }) => by === 'user' && seq >= planned)?.seq ?? state.seq

/** Returns the state that a model may see, without messages that must wait, such as those that no guard has checked. */
export function stateForTurn(run: RunContext): RunState {
  const { state } = run
  const before = readUntilOf(run)
  return before === state.seq ? state : { ...state, pending: state.pending.filter(({ seq }) => seq < before) }
}

/** A step's note about one user request, identified by the `seq` of its message. */
export interface RequestNote {
  readonly request: number
}

/** Returns a note if it is about the latest request, since each request starts without notes. */
export const ofRequest = <Note extends RequestNote>(note: Note | undefined, { request }: RunState): Note | undefined =>
  note?.request === request.seq ? note : undefined

/** Yields all turns, the newest first. */
export function* turnsOf({ history }: Pick<RunState, 'history'>): Generator<Turn, void> {
  for (let index = lengthOf(history) - 1; index >= 0; index--) {
    const entry = itemAt(history, index)
    if (entry?.type === 'turn') yield entry
  }
}

/** Yields the turns on the user's latest request, the newest first. */
export function* requestTurns(state: RunState): Generator<Turn, void> {
  for (const turn of turnsOf(state)) {
    if (turn.iteration <= state.request.iteration) return
    yield turn
  }
}

/** The effects of limits during the latest user request, as noted in the log, so that each happens once. */
interface LimitNote {
  /** Limits that the model was reminded of. */
  readonly reminded: readonly LimitName[]
  /** Limits that a user was asked about before they were reached. */
  readonly asked: readonly LimitName[]
  /** The number of the turn in which the model has to answer. */
  readonly last?: number
}

const key = 'limit'

export function limitNoteOf(state: RunState): LimitNote {
  return ofRequest(noteOf<LimitNote & RequestNote>(state, key), state) ?? none
}
const none: LimitNote = { reminded: [], asked: [] }

export function noteLimit({ state, emit }: RunContext, change: Partial<LimitNote>): void {
  const { reminded, asked, last } = { ...limitNoteOf(state), ...change }
  const value = { request: state.request.seq, reminded: [...reminded], asked: [...asked] }
  emit({ type: 'noted', key, value: { ...value, ...(last !== undefined && { last }) } })
}

/** Returns true if the model had to answer with what it had in the latest turn. */
export const wasLastTurn = (state: RunState): boolean =>
  latestTurn(state) !== undefined && limitNoteOf(state).last === state.iteration

/**
 * Adds a message to the model for its next turn, unless it is pending already: after a reload a step adds the same
 * again.
 */
export function sayOnce(run: RunContext, content: string): void {
  if (run.state.pending.some((said) => said.by === 'agent' && said.content === content)) return
  run.emit({ type: 'said', by: 'agent', content })
}

/** Returns the names of the tools that belong to stop rules: with one of them the model ends its work. */
export const terminalTools = ({ tools }: Pick<Agent, 'tools'>): readonly string[] =>
  Object.values(tools).flatMap(({ name, terminal }) => (terminal ? [name] : []))

/** Returns the latest turn if it is complete plain text without calls. */
export function textTurn(state: RunState): Turn | undefined {
  const turn = latestTurn(state)
  return !turn || turn.error || turn.calls.length > 0 || awaitsProvider(turn) ? undefined : turn
}

/** Returns the failure of a run whose provider withheld the answer. */
export function withheld({ finish }: Turn): FailedSignal | undefined {
  if (finish?.unified !== 'content-filter') return undefined
  return failed(new AgentError('model_filtered', "The provider's content filter withheld the answer."))
}

type Closing = Pick<RunContext, 'state' | 'emit'>

/** Ends a call that does not run, with an error that the model reads. */
export const refuseCall = (run: Pick<RunContext, 'emit'>, call: string, error: AgentError): void =>
  run.emit({ type: 'observed', call, ms: 0, ...failedOutcome(error) })

/** Closes all open calls after a stop, so that the conversation can continue. */
export function closeCalls(run: Closing, closes: (call: Call) => boolean = () => true): void {
  for (const { key, claimedAt } of openCalls(run.state).filter(closes)) {
    const message =
      claimedAt === undefined ? 'Not run: the user stopped.' : 'Stopped by the user. It may have happened.'
    refuseCall(run, key, new AgentError('stopped', message))
  }
}

/** Skips the open calls of a turn, for example because a step already has the answer. */
export function skipCalls(run: Closing, message = 'Not run: the answer was there before.'): void {
  for (const { key } of openCalls(run.state)) refuseCall(run, key, new AgentError('tool_skipped', message))
}

/** The context of a tool that `resumes`: the usual one, and the run that it is part of. */
export interface Inside extends ToolContext {
  readonly run: RunContext
  readonly activity: Activity
  /** The key of the call. */
  readonly call: string
}

/** A call before its tool starts, for tools that cannot run at any time. The call starts after the wait. */
export interface Readying {
  readonly run: RunContext
  readonly call: Call
  readonly activity: Activity
}

/** A call that is about to be claimed. */
export interface Proposal {
  readonly run: RunContext
  readonly call: Call
  readonly activity: Activity
  readonly spec: ToolSpec
  /** The input as the schema parsed it. */
  readonly input: unknown
  /** Returns the question that the tool's policy has for another input. */
  approvalOf(input: unknown): Decision | Promise<Decision>
}

/** A call that may already have run. */
export type Interrupted = Pick<Proposal, 'call' | 'activity' | 'spec'>

/** The claim of a call, which is being written. */
export interface Claiming extends Pick<Proposal, 'run' | 'call'> {
  readonly writing: PromiseLike<void>
  /** True if an earlier attempt may have run. */
  readonly wasClaimed: boolean
}
