import { asking } from '../ask.ts'
import { decisionOn, isApproved, isBegun, isDoing } from '../call.ts'
import { AgentError, isInvariantBroken } from '../error.ts'
import type { EventBody } from '../event.ts'
import type { Activity, RunContext } from '../run.ts'
import { type Call, interruptionOf, notStartedOf, openCall } from '../state.ts'
import type { Readying } from '../step.ts'
import { failedOutcome, type Outcome, type ToolSpec } from '../tool.ts'
import { type Approved, approve, approveForProvider, checkInput, givenBy } from './approve.ts'
import { contextFor } from './contextFor.ts'
import { executeTool, isInterruption, RunFault, reasonOf } from './executeTool.ts'
import { outdated } from './outcome.ts'
import { Stopwatch } from './stopwatch.ts'

/** Performs a call from the log up to its observation: looks it up, checks, approves, claims and runs it. */
export async function performCall(run: RunContext, key: string, timeoutMs: number): Promise<undefined> {
  const call = openCall(run.state, key)
  if (!call) return undefined
  const performing = { run, call, activity: run.activity(key), watch: new Stopwatch(run.host), timeoutMs }
  try {
    let outcome: Outcome
    try {
      outcome = await approveAndRun(performing)
    } catch (error) {
      outcome = failureOf(performing, error)
    }
    run.emit({ type: 'observed', call: key, ms: performing.watch.ms, ...outcome })
    return undefined
  } catch (error) {
    throw RunFault.is(error) ? error.cause : error
  } finally {
    performing.activity.end()
  }
}

interface Performing extends Readying {
  /** The run. Its tools may change during the call, which replaces it. */
  run: RunContext
  /** The activity of this attempt. */
  activity: Activity
  /** Measures the tool's own time: without the checks before it, and without the time that users take. */
  readonly watch: Stopwatch
  readonly timeoutMs: number
}

/**
 * Checks a call, has it approved, and runs it. It is not async, and calls at most one async function: each costs every
 * call a promise.
 */
function approveAndRun(performing: Performing): Promise<Outcome> {
  const { run, call } = performing
  if (call.approvalId !== undefined) return approveForProvider(performing)
  if (call.invalid) throw new AgentError('tool_input_invalid', call.invalid)
  const spec = findTool(run, call.name)
  const approving = approveInput(performing, spec)
  return approving instanceof Promise
    ? approving.then((approved) => attemptCall(performing, spec, approved))
    : attemptCall(performing, spec, approving)
}

/**
 * Returns the outcome of a failed call. Throws an error that breaks the run itself, which ends the run and leaves the
 * call open.
 */
function failureOf({ run, call }: Performing, error: unknown): Outcome {
  if (RunFault.is(error) || run.isFailure(error) || isInvariantBroken(error)) throw error
  if (run.abortSignal.aborted && run.agent.tools[call.name]?.resumes) throw error
  return failedOutcome(run.abortSignal.aborted ? run.abortSignal.reason : outdated(error, call))
}

/** Checks the input against the schema, shows it, and has it approved. */
function approveInput({ run, call, activity }: Performing, spec: ToolSpec): Approved | Promise<Approved> {
  const propose = (input: unknown): Approved | Promise<Approved> => {
    spec.onInput?.(run, call.id, input)
    return approve({ run, call, activity, spec, input })
  }
  const checking = checkInput({ run, spec }, givenBy(call))
  return checking instanceof Promise ? checking.then(propose) : propose(checking)
}

/** The number of times that an interrupted call is repeated without asking. */
const mostRepetitions = 9

/** Returns true if a user decides about an interrupted call of this tool. */
const asksToRepeat = ({ effect, resumes }: ToolSpec): boolean => effect === 'once' || resumes === true

/** Claims and runs the call, again after each interruption. If the call may already have run, a user is asked first. */
async function attemptCall(performing: Performing, spec: ToolSpec, approved: Approved): Promise<Outcome> {
  const { run, call, watch } = performing
  const { input, seen } = approved
  // The approved tool must be the one that runs: it may have changed or disappeared meanwhile.
  const changed = seen !== undefined && (await run.agent.live?.unlessSame(run, spec, performing.activity))
  if (changed) return approveAndRun(Object.assign(performing, { run: changed }))
  const ms = spec.timeoutMs ?? performing.timeoutMs
  let isInterrupted = false
  for (let left = mostRepetitions; ; ) {
    const needsDecision = isInterrupted ? asksToRepeat(spec) : spec.effect === 'once' && mayHaveRun(run, call)
    const decided = needsDecision ? await askAboutInterrupted(spec, call, performing.activity) : undefined
    if (decided) return decided
    const checking = contextFor(run, spec)
    const context = checking instanceof Promise ? await checking : checking
    const readying = spec.ready?.(performing)
    if (readying) await readying
    const rechecking = seen !== undefined && performing.activity.recheck?.()
    if (rechecking) await rechecking
    // After a stop no further call may start, also if the stop comes during the claim of another call of the turn.
    run.abortSignal.throwIfAborted()
    if (seen !== undefined && !isStillApproved(performing)) return approveAndRun(performing)
    const wasBegun = isBegun(openCall(run.state, call.key) ?? call)
    const claimed = emitClaim(performing, spec, approved)
    const writing = run.durable(spec.effect === 'pure' ? 'relaxed' : 'strict')
    if (writing) await durableClaim(writing, performing, wasBegun)
    run.abortSignal.throwIfAborted()
    try {
      const { activity } = performing
      const outcome = await executeTool({ run, call, context, activity, watch, spec, input, seen, claimed, ms })
      const { result, error }: Partial<Outcome> = Object(outcome)
      if (result || error) return outcome
      throw new TypeError('The host returned no outcome of the call.')
    } catch (thrown) {
      const error = reasonOf(thrown, { run, spec })
      // As after a crash, the progress of the call is unknown.
      if (!isInterruption(error) || (!asksToRepeat(spec) && left-- === 0)) throw error
      isInterrupted = true
      leaveAttempt(performing)
    }
  }
}

/**
 * Ends the activity of an attempt whose tool no longer runs: its questions stay open, and it waits for none of them.
 */
function leaveAttempt(performing: Performing): void {
  const { run, call, activity } = performing
  performing.activity = run.activity(call.key)
  activity.end()
}

/** Returns false if the call's permission was removed before the call began. */
function isStillApproved({ run, call: { key } }: Performing): boolean {
  const call = openCall(run.state, key)
  return !call || isBegun(call) || isApproved(call)
}

/**
 * Claims the call, in the same tick as the check before it, so that no other event comes in between. A tool that waits for a user
 * claims again when it receives the reply. Returns the length that the log must have in the journal before the tool starts.
 */
function emitClaim({ run, call }: Performing, { resumes }: ToolSpec, { edited, prompt }: Approved): number {
  const now = openCall(run.state, call.key) ?? call
  const isRepeated = resumes ? !isBegun(now) : !now.idle || decisionOn(now) !== undefined
  if (now.calledAt === undefined || isRepeated) {
    const event: EventBody = {
      type: 'called',
      call: call.key,
      ...(edited !== undefined && { input: edited }),
      ...(prompt !== undefined && { prompt }),
    }
    run.emit(resumes ? { ...event, resumes } : event)
  }
  return run.state.seq
}

/**
 * Awaits the claim. If it fails, the tool does not start, so no user is asked later whether it ran, unless an earlier
 * attempt may have run.
 */
async function durableClaim(writing: PromiseLike<void>, { run, call }: Performing, wasBegun: boolean): Promise<void> {
  try {
    await writing
  } catch (error) {
    if (!wasBegun) run.emit({ type: 'noted', call: call.key, key: notStartedOf(call.key), value: true })
    throw error
  }
}

function findTool({ agent: { tools }, state }: RunContext, name: string): ToolSpec {
  const spec = tools[name]
  spec?.bundle?.check(state, name)
  if (spec) return spec
  const names = Object.keys(tools).join(', ')
  throw new AgentError(
    'tool_unknown',
    `There is no tool "${name}". ${names ? `The tools are: ${names}.` : 'There are no tools.'}`,
  )
}

/**
 * Returns true if the call was started and may have had effects. While it waits for a user it has done nothing that it
 * may not repeat, and it claims again before it continues with a reply.
 */
function mayHaveRun({ state }: RunContext, { key }: Call): boolean {
  // Read again: the answer may have arrived during the check of the call.
  const call = openCall(state, key)
  if (call === undefined) return false
  return isDoing(call) || (isBegun(call) && (!call.idle || decisionOn(call) !== undefined))
}

/** Asks a user about a call that was started without an outcome in the log. */
async function askAboutInterrupted({ name }: ToolSpec, call: Call, activity: Activity): Promise<Outcome | undefined> {
  const decision = await activity.ask(
    interruptionOf(call.key),
    asking<'again' | 'done' | 'skip'>({
      kind: 'choice',
      prompt: `${name} was interrupted and may already have run. What should happen?`,
      options: [
        { value: 'again', label: 'Run it again' },
        { value: 'done', label: 'It already ran' },
        { value: 'skip', label: 'Skip it' },
      ],
    }),
  )
  if (decision === 'again') return undefined
  if (decision === 'done') return { result: { type: 'text', value: 'Done, as the user confirms. The output is lost.' } }
  throw new AgentError('tool_skipped', 'The user decided to skip this call. It may already have run.')
}
