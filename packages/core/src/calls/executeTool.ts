import { Breaker, yielder } from '../engine/wait.ts'
import { AgentError, invariant, isAgentError, isInvariantBroken, messageOf } from '../error.ts'
import { isJournalError, journalFault } from '../journal.ts'
import { type Json, sameJson, strictJson, toJson } from '../json.ts'
import { unlessLeaving } from '../leaving.ts'
import { messagesBefore } from '../message.ts'
import type { Activity, Clock, RunContext } from '../run.ts'
import type { Call } from '../state.ts'
import type { Inside } from '../step.ts'
import { failedOutcome, isElsewhere, type Outcome, type ToolContext, type ToolSpec } from '../tool.ts'
import { engineOf, type TypedQuestion } from '../typedQuestion.ts'
import { Answer, notAwaited } from './awaited.ts'
import { copyInput } from './copyInput.ts'
import { outcomeOf, outdated, outputOf } from './outcome.ts'
import type { Stopwatch } from './stopwatch.ts'

export interface Executing {
  readonly run: RunContext
  readonly call: Call
  readonly activity: Activity
  readonly watch: Stopwatch
  readonly spec: ToolSpec
  readonly input: unknown
  /** The context of the run, as the tool's schema parses it. */
  readonly context: unknown
  /** The input as JSON, as the user approved it. */
  readonly seen: Json | undefined
  /** The length that the log must have in the journal before the tool starts. */
  readonly claimed: number
  /** The tool's time limit. */
  readonly ms: number
}

/**
 * Runs a tool's function and returns its outcome, also for a failure. Throws or rejects if there is no outcome: the run
 * was stopped, the journal failed, or the call may already have run. It is not async, since its caller awaits it anyway.
 */
export function executeTool(executing: Executing): PromiseLike<Outcome> {
  const { run, call, watch, spec, input } = executing
  watch.reset()
  const { execute: work } = spec
  if (!work) throw new AgentError('tool_unknown', `The tool "${spec.name}" does not run here.`)
  const execute = checked(executing, work)
  if (spec.resumes) return insideRun(executing, execute).then((output) => outcomeOf(executing, output))
  const effect = { kind: 'tool', key: call.key, name: spec.name, input } as const
  return run.host.perform(effect, () => settle(executing, execute))
}

/** Returns the reason why an execution has no outcome. If the host failed, the tool may have run. */
export function reasonOf(error: unknown, { run, spec }: Pick<Executing, 'run' | 'spec'>): unknown {
  const isOfHost = !spec.resumes && !isNoResult(error, run)
  if (!isOfHost) return error
  if (isJournalError(error)) return new RunFault(error)
  return new AgentError('tool_interrupted', `${spec.name} was given up: ${messageOf(error)}`, { cause: error })
}

/**
 * Returns a function that starts only if the journal has its call's claim, and only with the input that the user saw.
 */
function checked({ run, call: { key }, claimed, seen }: Executing, execute: Execute): Execute {
  return (input, context) => {
    invariant(run.durableSeq >= claimed, 'I1', `${key} would start before its claim is durable.`)
    const isSeen = seen === undefined || sameJson(input, seen)
    invariant(isSeen, 'I2', `${key} would run with another input than the one that was approved.`)
    return execute(copyInput(input), context)
  }
}

/** Converts an exception of the tool itself to an outcome. */
async function settle(executing: Executing, execute: Execute): Promise<Outcome> {
  const { run, call } = executing
  const execution = new Execution(executing)
  try {
    return await execution.begin(execute)
  } catch (error) {
    if (isNoResult(error, run)) throw error
    return failedOutcome(outdated(error, call))
  } finally {
    execution.end()
  }
}

const isNoResult = (error: unknown, { abortSignal, isFailure }: RunContext): boolean =>
  abortSignal.aborted || isFailure(error) || isInvariantBroken(error) || isInterruption(error)

/**
 * Returns true for an interruption: the call has begun, and has neither a result nor an error that its tool reported.
 * Its `effect` decides what follows, whatever interrupted it: its time, a lost connection, the end of its page.
 */
export const isInterruption = (error: unknown): boolean => isAgentError(error) && error.code === 'tool_interrupted'

/** Runs the function of a tool that `resumes`. It manages its own time and ends by itself, so it is awaited. */
async function insideRun(executing: Executing, execute: Execute): Promise<unknown> {
  const { run, call, activity, watch, input } = executing
  // A call that starts now has no child whose log could be missing.
  const isNew = call.claimedAt === undefined && run.mayLackChildren
  const own = isNew ? run.with({ mayLackChildren: false }) : run
  const context = new CallContext(executing, run.abortSignal)
  const inside: Inside = Object.assign(context, { run: own, activity, call: call.key })
  activity.clock = watch
  watch.start()
  try {
    return await execute(input, inside)
  } catch (error) {
    // Not a failed write of this run, but of its child.
    throw isJournalError(error) ? new RunFault(error) : error
  } finally {
    watch.stop()
    activity.clock = undefined
  }
}

/** A failure of the host's or a child's journal: it ends the run, and the call stays open. */
export class RunFault {
  readonly cause: unknown
  /** Distinguishes it from any other thrown value, also from one that cannot be read. */
  readonly #isFault = true

  constructor(cause: unknown) {
    this.cause = journalFault(cause)
  }

  static is(error: unknown): error is RunFault {
    return Object(error) === error && #isFault in (error as object)
  }
}

type Execute = NonNullable<ToolSpec['execute']>

/**
 * One execution of a tool's function. It is raced against its time limit and the stop of the run, and ends then even if
 * the tool ignores the abort. A later result is dropped.
 */
class Execution implements Clock {
  readonly #executing: Executing
  readonly #breaker: Breaker
  #context: CallContext | undefined = undefined
  #cancel: (() => void) | undefined = undefined

  constructor(executing: Executing) {
    this.#executing = executing
    this.#breaker = new Breaker(executing.run.abortSignal)
  }

  /** Returns the outcome of the tool's work, or rejects when its time is up or the run is stopped. */
  begin(execute: Execute): Promise<Outcome> {
    const { run, call, activity, watch, spec } = this.#executing
    // The app has no time limit: the time that it takes is that of the call.
    if (isElsewhere(spec.execute)) watch.start()
    else {
      activity.clock = this
      this.start()
    }
    const work = unlessLeaving(run.host, () => this.#work(execute))
    return this.#breaker.race(work, () => run.live({ type: 'dropped', call: call.key }))
  }

  async #work(execute: Execute): Promise<Outcome> {
    const { run, call, spec, input } = this.#executing
    const breaker = this.#breaker
    const context = new CallContext(this.#executing, breaker.abortSignal)
    this.#context = context
    const result = execute(input, context)
    const output = isStream(result) ? await lastValue(result, { run, call, spec, breaker }) : await result
    context.checkAnswers()
    return outcomeOf(this.#executing, output)
  }

  end(): void {
    this.stop()
    this.#executing.watch.stop()
    this.#context?.end()
    this.#breaker.end()
    this.#executing.activity.clock = undefined
  }

  start(): void {
    if (this.#cancel) return
    const { run, watch, ms } = this.#executing
    this.#cancel = run.host.timer(Math.max(0, ms - watch.ms), () => this.#timeOut())
    watch.start()
  }

  stop(): void {
    if (!this.#cancel) return
    this.#cancel()
    this.#cancel = undefined
    this.#executing.watch.stop()
  }

  #timeOut(): void {
    this.#breaker.break(timeOut(this.#executing))
  }
}

/**
 * Returns the end of a call whose time is up. A tool that must not run twice may still have done its work, so that is an
 * interruption: a user decides. The model may repeat the others.
 */
const timeOut = ({ spec: { name, effect }, ms }: Executing): AgentError =>
  new AgentError(effect === 'atMostOnce' ? 'tool_interrupted' : 'tool_timeout', `${name} took longer than ${ms} ms.`)

interface Breakable {
  readonly run: RunContext
  readonly call: Call
  readonly spec: ToolSpec
  readonly breaker: Breaker
}

const isStream = (result: unknown): result is AsyncIterable<unknown> =>
  typeof result === 'object' && result !== null && Symbol.asyncIterator in result

/** Returns the last value that a generator yields. Stops the generator once the call is over. */
async function lastValue(values: AsyncIterable<unknown>, { run, call, spec, breaker }: Breakable): Promise<unknown> {
  const yieldIfDue = yielder(run.host)
  let last: unknown
  for await (const value of values) {
    last = value
    if (breaker.broken) break
    // The tool may still convert for the model what JSON cannot hold.
    const output = spec.toModelOutput ? toJson(value) : strictJson(value, outputOf(spec))
    run.live({ type: 'progressed', call: call.key, output })
    const pause = yieldIfDue()
    if (pause) await pause
  }
  return last
}

/**
 * The context of a tool's function. All members are own properties, because a tool that wraps another may pass on a
 * copy.
 */
class CallContext implements ToolContext {
  readonly toolCallId: string
  readonly toolName: string
  readonly runId: string
  readonly idempotencyKey: string
  readonly abortSignal: AbortSignal
  readonly context: unknown
  readonly ask: ToolContext['ask']
  readonly once: ToolContext['once']
  declare readonly messages: ToolContext['messages']
  readonly #executing: Executing
  #answers: Answer[] | undefined = undefined
  #asked = 0
  #hasEnded = false

  constructor(executing: Executing, abortSignal: AbortSignal) {
    const { run, call, activity } = executing
    this.toolCallId = call.id
    this.toolName = call.name
    this.context = executing.context
    this.runId = run.state.runId
    this.idempotencyKey = `${this.runId}/${call.key}`
    this.abortSignal = abortSignal
    this.ask = this.#ask.bind(this) as ToolContext['ask']
    this.once = activity.once.bind(activity) as ToolContext['once']
    this.#executing = executing
    Object.defineProperty(this, 'messages', CallContext.#messages)
  }

  /** The messages, made at first access because they are costly and seldom read. */
  static readonly #messages = {
    enumerable: true,
    get(this: CallContext): ToolContext['messages'] {
      return messagesBefore(this.#executing.run.state)
    },
  }

  static executingOf(context: ToolContext): Executing | undefined {
    return #executing in context ? context.#executing : undefined
  }

  /** Throws if the function has returned and ignores a question. */
  checkAnswers(): void {
    if (this.#answers?.some(({ isAwaited }) => !isAwaited)) throw notAwaited()
  }

  /** Asks nothing more: the function has ended. */
  end(): void {
    this.#hasEnded = true
  }

  #ask(question: TypedQuestion<unknown>): Promise<unknown> {
    const { run, call, activity, spec } = this.#executing
    const key = `${call.key}/ask/${this.#asked++}`
    const asking = { run, call: call.key, activity, isOnce: spec.effect === 'atMostOnce', key, question }
    const answer = Answer.to({
      ask: async () => engineOf(question).askInCall(asking),
      isOver: () => this.#hasEnded,
    })
    this.#answers ??= []
    this.#answers.push(answer)
    return answer
  }
}

/** Returns the execution that this is the context of. Undefined for one that an app made, such as in a test. */
export const executingOf = (context: ToolContext): Executing | undefined => CallContext.executingOf(context)

/** Returns the clock of a call, to stop it while a user acts. Undefined once the call is over. */
export const clockOf = (context: ToolContext): Clock | undefined => executingOf(context)?.activity.clock
