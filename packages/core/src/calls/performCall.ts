import { DEV } from '#checks'
import { approvalKey, isClaimed, mayRelease, mustClaim } from '../call.ts'
import { AgentError, isInvariantBroken } from '../error.ts'
import type { EventBody } from '../event.ts'
import type { Activity, RunContext } from '../run.ts'
import { type Call, openCall, questionOf } from '../state.ts'
import type { Readying } from '../step.ts'
import {
  type Approval,
  type Approved,
  type Decision,
  failedOutcome,
  type Interruptions,
  isApproval,
  type Outcome,
  type ToolSpec,
} from '../tool.ts'
import { approvalFor } from './approvalFor.ts'
import { checkInput, givenBy } from './checkInput.ts'
import { contextFor } from './contextFor.ts'
import { executeTool, isInterruption, RunFault, reasonOf } from './executeTool.ts'
import { outdated } from './outcome.ts'
import { isTriedAgain, needsUser } from './repeat.ts'
import { Stopwatch } from './stopwatch.ts'

/** Performs a call from the log up to its observation: looks it up, checks, approves, claims and runs it. */
export async function performCall(run: RunContext, key: string, timeoutMs: number): Promise<undefined> {
  const call = openCall(run.state, key)
  if (!call) return undefined
  const performing = { run, call, activity: run.activity(key), watch: new Stopwatch(run.host), timeoutMs }
  try {
    let outcome: Outcome
    let undecided: unknown
    try {
      outcome = await approveAndRun(performing)
    } catch (error) {
      outcome = failureOf(performing, error)
      if (isInterruption(error) && isUndecided(performing)) undecided = error
    }
    run.emit({ type: 'observed', call: key, ms: performing.watch.ms, ...outcome })
    // Nobody could be asked about it: the run ends, so that the user sees it before the model calls the tool again.
    if (undecided !== undefined) throw undecided
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
  if (call.approvalId !== undefined) return consentTo(performing)
  if (call.invalid) throw new AgentError('tool_input_invalid', call.invalid)
  const spec = findTool(run, call.name)
  const approving = approveInput(performing, spec)
  return approving instanceof Promise
    ? approving.then((approved) => attemptCall(performing, spec, approved))
    : attemptCall(performing, spec, approving)
}

/** Asks about a call that the provider runs: by the code of one of the tools, or of the journal. */
function consentTo(performing: Performing): Promise<Outcome> {
  const { run, call } = performing
  const { tools } = run.agent
  const approval = [tools[call.name], ...Object.values(tools)].map((spec) => spec?.approve).find(isApproval)
  const asking = approval ?? run.engine?.approval
  if (asking) return asking.approveForProvider(performing)
  // Not an observation: the model would only read that a user has refused.
  throw new RunFault(
    new AgentError(
      'options_invalid',
      DEV &&
        `The provider asks whether it may run "${call.name}", and no user can be asked. Give the run a journal, or one of the agent's tools approve: approval(). Then resume the run.`,
    ),
  )
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
    const approvalOf = (other: unknown): Decision | Promise<Decision> => approvalFor({ run, call, spec }, other)
    const decided = approvalOf(input)
    const askIf = (decision: Decision): Approved | Promise<Approved> => {
      const approval = decision || askedBefore(run, call)
      return approval ? approval.approve({ run, call, activity, spec, input, approvalOf }) : { input }
    }
    return decided instanceof Promise ? decided.then(askIf) : askIf(decided)
  }
  const checking = checkInput({ run, spec }, givenBy(call))
  return checking instanceof Promise ? checking.then(propose) : propose(checking)
}

/** A question that was asked stays open until it is answered, whatever the policy says later. */
const askedBefore = ({ engine, state }: RunContext, call: Call): Approval | false =>
  (engine && questionOf(state, approvalKey(call), call.key) && engine.approval) ?? false

/** Returns the code that asks about calls that may already have run: that of the journal, or of the tool. */
const askerOf = ({ engine }: RunContext, { interruptions, approve }: ToolSpec): Interruptions | undefined =>
  engine?.interruptions ?? interruptions ?? (isApproval(approve) ? approve.interruptions : undefined)

/** Returns true if only a user can say whether the interrupted call runs again, and there is no code to ask one. */
function isUndecided({ run, call }: Performing): boolean {
  const spec = run.agent.tools[call.name]
  return spec !== undefined && needsUser(spec, { isInterrupted: true }) && !askerOf(run, spec)
}

/** Claims and runs the call, again after each interruption. If the call may already have run, a user is asked first. */
async function attemptCall(performing: Performing, spec: ToolSpec, approved: Approved): Promise<Outcome> {
  const { run, call, watch } = performing
  const { input, seen } = approved
  // The approved tool must be the one that runs: it may have changed or disappeared meanwhile.
  const changed = seen !== undefined && (await run.agent.live?.unlessSame(run, spec, performing.activity))
  if (changed) return approveAndRun(Object.assign(performing, { run: changed }))
  const ms = spec.timeoutMs ?? performing.timeoutMs
  const asker = askerOf(run, spec)
  let isInterrupted = false
  for (let repetitions = 0; ; repetitions++) {
    // Read again: the result of an earlier attempt may have arrived during the checks.
    const isAsked = asker && needsUser(spec, { call: openCall(run.state, call.key), isInterrupted })
    const said = isAsked && (await asker.ask({ call, activity: performing.activity, spec }))
    if (said) return said
    const checking = contextFor(run, spec)
    const context = checking instanceof Promise ? await checking : checking
    const readying = spec.ready?.(performing)
    if (readying) await readying
    const rechecking = seen !== undefined && performing.activity.recheck?.()
    if (rechecking) await rechecking
    // After a stop no further call may start, also if the stop comes during the claim of another call of the turn.
    run.abortSignal.throwIfAborted()
    if (approved.isStill?.() === false) return approveAndRun(performing)
    const wasClaimed = isClaimed(openCall(run.state, call.key) ?? call)
    const claimed = emitClaim(performing, spec, approved)
    const writing = run.durable(spec.effect === 'readOnly' ? 'relaxed' : 'strict')
    if (writing) await (asker?.claimed({ writing, run, call, wasClaimed }) ?? writing)
    run.abortSignal.throwIfAborted()
    try {
      const { activity } = performing
      const outcome = await executeTool({ run, call, context, activity, watch, spec, input, seen, claimed, ms })
      const { result, error }: Partial<Outcome> = Object(outcome)
      if (result || error) return outcome
      throw new TypeError('The host returned no outcome of the call.')
    } catch (thrown) {
      const error = reasonOf(thrown, { run, spec })
      releaseIdle(performing, error)
      // As after a crash, the progress of the call is unknown.
      if (!isInterruption(error) || !isTriedAgain(spec, asker, repetitions)) throw error
      isInterrupted = true
      leaveAttempt(performing)
    }
  }
}

/**
 * Releases a call whose function ended because the journal refused the reply that it waited for: it has done nothing
 * with it, unless an effect runs, or it received another reply meanwhile.
 */
function releaseIdle({ run, call: { key }, activity }: Performing, error: unknown): void {
  const call = openCall(run.state, key)
  if (error === undefined || error !== activity.unreceived || !call) return
  if (mayRelease(call) && !activity.isDoing) run.emit({ type: 'released', call: key })
}

/**
 * Ends the activity of an attempt whose tool no longer runs: its questions stay open, and it waits for none of them.
 */
function leaveAttempt(performing: Performing): void {
  const { run, call, activity } = performing
  performing.activity = run.activity(call.key)
  activity.end()
}

/**
 * Claims the call, in the same tick as the check before it, so that no other event comes in between. A tool that waits for a user
 * claims again when it receives the reply. Returns the length that the log must have in the journal before the tool starts.
 */
function emitClaim({ run, call }: Performing, { resumes }: ToolSpec, { edited, prompt }: Approved): number {
  const now = openCall(run.state, call.key) ?? call
  if (mustClaim(now, resumes)) {
    const event: EventBody = {
      type: 'claimed',
      call: call.key,
      ...(edited !== undefined && { input: edited }),
      ...(prompt !== undefined && { prompt }),
    }
    run.emit(resumes ? { ...event, resumes } : event)
  }
  return run.state.seq
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
