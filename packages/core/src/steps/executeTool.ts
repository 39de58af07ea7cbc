import type { TypedQuestion } from '../ask.ts'
import { isBegun, isDoing } from '../call.ts'
import { Breaker, breather } from '../engine/wait.ts'
import { AgentError, invariant, isAgentError, isInvariantBroken, messageOf } from '../error.ts'
import { isJournalError, journalFault } from '../journal.ts'
import { type Json, sameJson, strictJson, toJson } from '../json.ts'
import { unlessLeaving } from '../leaving.ts'
import { messagesBefore } from '../message.ts'
import type { Activity, Clock, RunContext } from '../run.ts'
import { accept } from '../schema.ts'
import { type Call, notStartedOf, openCall } from '../state.ts'
import type { Inside } from '../step.ts'
import { failedOutcome, type Outcome, type ToolContext, type ToolSpec } from '../tool.ts'
import { Answer, notAwaited } from './awaited.ts'
import { copyInput } from './input.ts'
import { outcomeOf, outdated, outputOf } from './outcome.ts'
import type { Stopwatch } from './stopwatch.ts'

interface Executing {
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
  const execute = spec.execute && checked(executing, spec.execute)
  if (!execute) return answerElsewhere(executing).then((output) => outcomeOf(executing, output))
  if (spec.resumes) return insideRun(executing, execute).then((output) => outcomeOf(executing, output))
  const effect = { kind: 'tool', key: call.key, name: spec.name, input } as const
  return run.host.perform(effect, () => settle(executing, execute))
}

/** Returns the reason why an execution has no outcome. If the host failed, the tool may have run. */
export function reasonOf(error: unknown, { run, spec }: Pick<Executing, 'run' | 'spec'>): unknown {
  const isOfHost = spec.execute && !spec.resumes && !isNoResult(error, run)
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
  const isNew = call.calledAt === undefined && run.mayLackChildren
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

/** Runs a tool without a function: the app executes it, and its result arrives as the reply to a form. */
async function answerElsewhere(executing: Executing): Promise<unknown> {
  const { call, activity, watch, spec, input } = executing
  const prompt = `${spec.name}: ${JSON.stringify(input)}`
  const schema = (await spec.output?.json) ?? {}
  const check = spec.output?.check ?? accept
  watch.start()
  const output = await receive(executing, () =>
    activity.ask(`${call.key}/ask/0`, { question: { kind: 'form', prompt, schema }, check }),
  )
  watch.stop()
  return output
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
    const { run, call, activity } = this.#executing
    activity.clock = this
    this.start()
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
  new AgentError(effect === 'once' ? 'tool_interrupted' : 'tool_timeout', `${name} took longer than ${ms} ms.`)

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
  const breathe = breather(run.host)
  let last: unknown
  for await (const value of values) {
    last = value
    if (breaker.broken) break
    // The tool may still convert for the model what JSON cannot hold.
    const output = spec.toModelOutput ? toJson(value) : strictJson(value, outputOf(spec))
    run.live({ type: 'progressed', call: call.key, output })
    const pause = breathe()
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
    const executing = this.#executing
    const key = `${executing.call.key}/ask/${this.#asked++}`
    const answer = Answer.to({
      ask: () =>
        receive(executing, async () => {
          const given = await executing.activity.ask(key, question)
          await claimAgain(executing)
          return given
        }),
      isOver: () => this.#hasEnded,
    })
    this.#answers ??= []
    this.#answers.push(answer)
    return answer
  }
}

/** Returns the clock of a call, to stop it while a user acts. Undefined once the call is over. */
export const clockOf = (context: ToolContext): Clock | undefined => CallContext.executingOf(context)?.activity.clock

/**
 * Does what a call needs whose other side has refused it before anything ran, such as a sign-in. If the page closes
 * meanwhile, no user is asked whether the call ran. It is claimed again before it continues.
 */
export async function whileRefused<T>(context: ToolContext, work: () => PromiseLike<T>): Promise<T> {
  const executing = CallContext.executingOf(context)
  if (executing) await release(executing)
  const result = await work()
  if (executing) await claimAgain(executing)
  return result
}

/** Notes that a call has not begun, unless it did something else. */
async function release({ run, call: { key }, spec }: Executing): Promise<void> {
  const call = openCall(run.state, key)
  if (spec.effect !== 'once' || !call || !isBegun(call) || call.acts || isDoing(call)) return
  run.emit({ type: 'noted', call: key, key: notStartedOf(key), value: true })
  await run.durable('strict')
}

/**
 * Returns the reply to a call's question. If the journal refuses it, the call has not received it, so no user is asked
 * later whether the call acted on it, unless it runs a `once` function or received another reply meanwhile.
 */
async function receive({ run, call: { key }, activity }: Executing, ask: () => Promise<unknown>): Promise<unknown> {
  try {
    return await ask()
  } catch (error) {
    const call = openCall(run.state, key)
    const mayHaveActed = !call || call.acts || isDoing(call) || activity.isDoing
    if (run.isFailure(error) && !mayHaveActed)
      run.emit({ type: 'noted', call: key, key: notStartedOf(key), value: true })
    throw error
  }
}

/**
 * Claims a call again before it continues with a reply, because what a tool does with a reply must not happen twice.
 * Replies that arrive meanwhile wait for the same claim. Throws if the call is over by then.
 */
async function claimAgain({ run, call: { key }, spec, activity }: Executing): Promise<void> {
  if (spec.effect !== 'once') return
  const isUnclaimed = (): boolean => {
    const call = openCall(run.state, key)
    return call !== undefined && (call.answered === true || !isBegun(call))
  }
  // Meanwhile the call may not have received a reply to another question.
  do {
    if (isUnclaimed()) run.emit({ type: 'called', call: key })
    await run.durable('strict')
  } while (isUnclaimed())
  activity.checkGoesOn()
}
