import { AgentError, toFailure } from '../error.ts'
import { cached, canonicalJson, type Json, toJson } from '../json.ts'
import { assertOption, isOptional, type KnownOptions, refuseUnknown } from '../options.ts'
import type { RunContext, Step } from '../run.ts'
import { failed, type Signal } from '../signal.ts'
import { type Call, latestTurn, openCalls, type RunState, type Turn } from '../state.ts'
import { refuseCall, requestTurns, sayOnce, turnsOf } from '../step.ts'
import { failedOutcome } from '../tool.ts'
import { type Check, ownNote, type Verdict, verdictOf } from './verdict.ts'

export interface GuardCallsOptions {
  /** Distinguishes several guards of one agent; `calls` by default. */
  name?: string
}

const guardCallsOptions: KnownOptions<GuardCallsOptions> = { name: true }

/**
 * Checks each call of a turn once, before any of them runs. A rewritten input has to fit the tool's schema like the model's
 * own; a blocked call is an observation with the reason. Stands in `between`. A final answer is for `guardOutput` to check.
 */
export function guardCalls(check: Check<Call, Json>, options: GuardCallsOptions = {}): Step {
  refuseUnknown('guardCalls()', options, guardCallsOptions)
  const { name = 'calls' } = options
  const note = ownNote<{ readonly turn: number }>(`guard/${name}`)

  return async (run) => {
    const { iteration: turn } = run.state
    const open = openCalls(run.state).filter((call) => isOurs(run, call))
    if (open.length === 0 || note.read(run)?.turn === turn) return undefined
    const verdicts = await Promise.all(open.map((call) => verdictOf(run, check, call)))
    for (const [index, verdict] of verdicts.entries()) if (open[index]) settle(run, open[index], verdict)
    note.write(run, { turn })
    return undefined
  }
}

/** An input that could not be parsed goes back to the model anyway. */
const isOurs = ({ agent: { tools } }: RunContext, { name, invalid }: Call): boolean =>
  invalid === undefined && !tools[name]?.terminal

function settle(run: RunContext, { key, approvalId }: Call, verdict: Verdict<Json>): void {
  if (verdict.type === 'allow') return
  const { reason } = verdict
  if (verdict.type === 'block') {
    const error = toFailure(new AgentError('guard_blocked', reason), 'guard_blocked')
    run.emit({ type: 'observed', call: key, ms: 0, result: { type: 'execution-denied', reason }, error })
  } else if (approvalId === undefined) {
    run.emit({ type: 'amended', of: key, input: toJson(verdict.value), reason })
  } else {
    throw new AgentError('guard_failed', 'A call that the provider runs cannot be rewritten. Allow it, or block it.')
  }
}

/** The maximum call rate of a tool. */
export interface CallRate {
  readonly calls: number
  /** The period in milliseconds, up to now. Without it, the limit is per user message. */
  readonly ms?: number
}

/**
 * Limits how often single tools are called, by their names. A call over the limit does not run: the model observes why,
 * and the run continues. Only started calls count. For `between`; `limits: { toolCalls }` limits all tools together.
 *
 * @example
 * reasonAct({ between: [limitCalls({ search: { calls: 20, ms: 60_000 }, pay: { calls: 1 } })] })
 */
export function limitCalls(rates: Readonly<Record<string, CallRate>>): Step {
  const entries = Object.entries(rates)
  for (const [name, { calls, ms }] of entries) {
    assertOption(Number.isInteger(calls) && calls > 0, `limitCalls({ ${name} }) needs calls, a whole number above 0.`)
    assertOption(ms === undefined || ms > 0, `The \`ms\` of limitCalls({ ${name} }) must be a number above 0.`)
  }
  return (run) => {
    for (const [name, rate] of entries) {
      assertOption(
        run.agent.tools[name] || run.agent.live,
        `limitCalls() names "${name}", and the agent "${run.agent.name}" has no such tool.`,
      )
      refuseBeyond(run, name, rate)
    }
    return undefined
  }
}

const limitCode = 'too_many'

function refuseBeyond(run: RunContext, name: string, rate: CallRate): void {
  const turn = latestTurn(run.state)
  // Looked at in the order of the model, so that after a reload the same ones are refused.
  const calls = turn?.calls.filter((call) => call.name === name && call.error?.code !== limitCode) ?? []
  if (!turn || calls.every(isBegun)) return
  const before = countBegun(run, turn, { ...rate, name })
  for (const call of calls.slice(Math.max(0, rate.calls - before))) {
    if (!isBegun(call)) refuseCall(run, call.key, tooMany(name, rate))
  }
}

const isBegun = ({ calledAt, result }: Call): boolean => calledAt !== undefined || result !== undefined

/** Returns the tool's started calls in the earlier turns, as far back as they count. */
function countBegun(run: RunContext, latest: Turn, { name, ms }: CallRate & { name: string }): number {
  const { state } = run
  const since = ms === undefined ? 0 : run.host.now() - ms
  let count = 0
  for (const { iteration, calls } of turnsOf(state)) {
    if (ms === undefined && iteration <= state.request.iteration) break
    if (iteration === latest.iteration) continue
    count += calls.filter((call) => call.name === name && call.calledAt !== undefined && call.calledAt > since).length
  }
  return count
}

function tooMany(name: string, { calls, ms }: CallRate): AgentError {
  const often = `${name} may be called ${calls === 1 ? 'once' : `${calls} times`}`
  return ms === undefined
    ? new AgentError(limitCode, `${often} for each message of the user. Go on with what you have.`)
    : new AgentError(limitCode, `${often} in ${ms} ms. Go on without it, or call it later.`, { retryable: true })
}

export interface NoRepeatsOptions {
  /** The number of identical calls that are allowed; the last of them warns the model. 3 by default. */
  times?: number
  /** The number of latest calls of the request that are compared; 20 by default. */
  within?: number
  /** Tools that may be called alike again and again, such as one that waits for something. */
  except?: readonly string[]
  /** Writes the warning. */
  warn?: (call: Call, count: number) => string
}

const noRepeatsOptions: KnownOptions<NoRepeatsOptions> = { times: true, within: true, except: true, warn: true }

/**
 * Ends loops in which the model calls the same tool with the same input over and over. It is warned first; if it calls so
 * once more nonetheless, that call is not run, and the run fails with `call_repeated`. The order of keys makes no difference.
 * Stands in `between`.
 */
export function noRepeats(options: NoRepeatsOptions = {}): Step {
  refuseUnknown('noRepeats()', options, noRepeatsOptions)
  const { times = 3, within = 20, except = [], warn = warning } = options
  assertOption(Number.isInteger(times) && times > 1, `noRepeats({ times: ${times} }): use a whole number above 1.`)
  assertOption(within > times, `noRepeats({ within: ${within} }): use a number above times, which is ${times}.`)
  assertOption(isOptional(warn, 'function'), 'The `warn` of noRepeats() must be a function that returns a string.')

  return (run) => {
    const calls = countCalls(run.state, within)
    const watched = (latestTurn(run.state)?.calls ?? []).filter(
      ({ name, approvalId, error }) => !except.includes(name) && approvalId === undefined && error?.code !== repeatCode,
    )
    const again = watched.filter((call) => calls.before(call) >= times)
    if (again.length > 0) return refuse(run, again)
    const alike = new Map(watched.filter((call) => calls.all(call) >= times).map((call) => [signatureOf(call), call]))
    for (const call of alike.values()) sayOnce(run, warn(call, calls.all(call)))
    return undefined
  }
}

const repeatCode = 'call_repeated'

interface Counts {
  /** Returns the count of this call in earlier turns: enough for the model to have been warned. */
  before(call: Call): number
  all(call: Call): number
}

function countCalls(state: RunState, within: number): Counts {
  const all = new Map<string, number>()
  const now = new Map<string, number>()
  let left = within
  for (const { calls, iteration } of requestTurns(state)) {
    for (const call of calls.toReversed()) {
      if (left-- <= 0) break
      count(all, call)
      if (iteration === state.iteration) count(now, call)
    }
    if (left <= 0) break
  }
  const of = (counts: Map<string, number>, call: Call): number => counts.get(signatureOf(call)) ?? 0
  return { all: (call) => of(all, call), before: (call) => of(all, call) - of(now, call) }
}

function count(counts: Map<string, number>, call: Call): void {
  const signature = signatureOf(call)
  counts.set(signature, (counts.get(signature) ?? 0) + 1)
}

const written = new WeakMap<object, string>()

/** Returns the signature of a call, cached per input, because inputs do not change. */
function signatureOf({ name, input }: Call): string {
  const text =
    typeof input === 'object' && input !== null
      ? cached(written, input, () => canonicalJson(input))
      : canonicalJson(input)
  return `${name} ${text}`
}

/** Answers the calls, so that the run can continue with `resume` or a message. */
function refuse(run: RunContext, calls: readonly Call[]): Signal {
  const names = [...new Set(calls.map(({ name }) => name))].join(' and ')
  const error = new AgentError(
    repeatCode,
    `The model calls ${names} with the same input over and over, though it was warned.`,
  )
  const refusal = failedOutcome(new AgentError(repeatCode, 'Not run: this was called with the same input too often.'))
  for (const call of calls) if (!call.result) run.emit({ type: 'observed', call: call.key, ms: 0, ...refusal })
  return failed(error)
}

const warning = ({ name }: Call, times: number): string =>
  `You have called ${name} with the same input ${times} times. Its results are above: use them, or try something else. ` +
  'If you call it so once more, the task ends.'
