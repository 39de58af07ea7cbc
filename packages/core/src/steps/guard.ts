import { checkArgument, checkOptions } from '#checks'
import { AgentError, toFailure } from '../error.ts'
import { type Json, toJson } from '../json.ts'
import { isBlank, plainContent, type UserContent } from '../part.ts'
import type { ConcurrentResult } from '../plan.ts'
import type { RunContext, Step } from '../run.ts'
import { failed, type Signal } from '../signal.ts'
import { type Call, latestTurn, openCalls, type SaidEntry } from '../state.ts'
import { concurrently } from './concurrently.ts'
import { checkOutput } from './judgeAnswers.ts'
import { allow, type Check, checkMs, type OwnNote, ownNote, type Verdict, verdictOf } from './verdict.ts'

export interface GuardInputOptions {
  /** Distinguishes several guards of one agent; `input` by default. */
  name?: string
  /** Returns the answer to a blocked message, instead of a failure. Must fit the agent's `output`. */
  answer?: (reason: string) => unknown
  /** Runs the check concurrently with the model call; a block discards the turn. Such a check cannot rewrite. */
  parallel?: boolean
  /** The time of one check; 60,000 ms by default. A check that takes longer lets nothing through. */
  timeoutMs?: number
}

/**
 * Checks each user message once, before the model receives it. The model gets a rewritten message as the check returns
 * it. A blocked one never reaches the model, and ends the request with `guard_blocked` or with an answer. The next
 * message continues. For `before`.
 */
export function guardInput(check: Check<UserContent>, options?: GuardInputOptions & { parallel?: false }): Step
export function guardInput(check: Check<UserContent, never>, options: GuardInputOptions): Step
export function guardInput(check: Check<UserContent>, options: GuardInputOptions = {}): Step {
  checkOptions('guardInput()', options, ['name', 'answer', 'parallel', 'timeoutMs'])
  checkArgument(check, 'check of guardInput()', 'a function')
  const { name = 'input', answer, parallel = false, timeoutMs = checkMs } = options
  const guard: InputGuard = { check, note: ownNote(`guard/${name}`), answer, parallel, timeoutMs }

  return async (run) => {
    removeBlocked(run, guard)
    if (parallel && unjudged(run, guard).length > 0) {
      run.replan({ readUntil: run.state.seq, concurrent: concurrently(() => judgeConcurrently(run, guard)) })
      return undefined
    }
    while (unjudged(run, guard).length > 0) await judgeOpen(run, guard)
    run.replan({ readUntil: run.state.seq })
    return refusal(run, guard)
  }
}

interface InputGuard {
  readonly answer: GuardInputOptions['answer']
  readonly check: Check<UserContent>
  readonly parallel: boolean
  readonly timeoutMs: number
  readonly note: OwnNote<Judged>
}
/** The `seq` up to which messages are judged, and the reason if the last of them was blocked. */
interface Judged {
  readonly until: number
  readonly blocked?: string
}

const fromUser = ({ state }: RunContext): readonly SaidEntry[] => state.pending.filter(({ by }) => by === 'user')

function unjudged(run: RunContext, { note }: InputGuard): readonly SaidEntry[] {
  const until = note.read(run)?.until ?? 0
  return fromUser(run).filter(({ seq }) => seq >= until)
}

/** Discards a turn that received a blocked message, even if a later message is allowed. */
async function judgeConcurrently(run: RunContext, guard: InputGuard): Promise<ConcurrentResult> {
  const blocked = await judgeOpen(run, guard)
  return (await refusal(run, guard)) ?? (blocked ? 'void' : undefined)
}

/** Judges the pending messages. Returns true if one of them is blocked. */
async function judgeOpen(run: RunContext, guard: InputGuard): Promise<boolean> {
  const open = unjudged(run, guard)
  const until = run.state.seq
  const verdicts = await Promise.all(open.map((said) => judge(run, guard, said)))
  const last = verdicts.at(-1)
  const blocked = last?.type === 'block' ? last.reason : undefined
  for (const [index, verdict] of verdicts.entries())
    if (open[index] && (blocked === undefined || index < open.length - 1)) amend(run, open[index], verdict)
  // Noted before its message is removed: an empty message would pass if it were judged again.
  guard.note.write(run, { until, ...(blocked !== undefined && { blocked }) })
  removeBlocked(run, guard)
  return verdicts.some(({ type }) => type === 'block')
}

/** Removes the latest judged message if it was blocked. */
function removeBlocked(run: RunContext, { note }: InputGuard): void {
  const { until = 0, blocked: reason } = note.read(run) ?? {}
  const latest = reason === undefined ? undefined : fromUser(run).findLast(({ seq }) => seq < until)
  if (latest && reason !== undefined && !isBlank(latest.content)) amend(run, latest, { type: 'block', reason })
}

/** Returns the refusal. If several messages wait, the latest decides: earlier blocked ones are omitted. */
async function refusal(run: RunContext, { note, answer }: InputGuard): Promise<Signal | undefined> {
  const latest = fromUser(run).at(-1)
  const judged = note.read(run)
  if (!latest || judged?.blocked === undefined || latest.seq >= judged.until) return undefined
  const reason = judged.blocked
  if (!answer) return failed(new AgentError('guard_blocked', `The message was blocked: ${reason}`))
  const output = answer(reason)
  const fits = await checkOutput(run, output)
  if (!fits.ok) throw new AgentError('answer_invalid', `The answer of a guard does not fit the agent: ${fits.message}.`)
  return { type: 'answer', output: toJson(output), reason: 'blocked' }
}

async function judge(run: RunContext, guard: InputGuard, { content }: SaidEntry): Promise<Verdict<UserContent>> {
  if (isBlank(content)) return allow
  const verdict = await verdictOf(run, guard, content)
  if (guard.parallel && verdict.type === 'rewrite') {
    throw new AgentError('guard_failed', 'A parallel check cannot rewrite: the model already has the message.')
  }
  return verdict
}

function amend(run: RunContext, { seq: target }: SaidEntry, verdict: Verdict<UserContent>): void {
  if (verdict.type === 'allow') return
  const content = verdict.type === 'rewrite' ? plainContent(verdict.value) : ''
  run.emit({ type: 'amended', target, content, reason: verdict.reason })
}

export interface GuardCallsOptions {
  /** Distinguishes several guards of one agent; `calls` by default. */
  name?: string
  /** The time of one check; 60,000 ms by default. If one takes longer, no call of the turn runs. */
  timeoutMs?: number
}

/**
 * Checks each call of a turn once, before any of them runs. A rewritten input must fit the tool's schema like the
 * model's own; a blocked call is an observation with the reason. For `between`. `guardOutput` checks final answers.
 */
export function guardCalls(check: Check<Call, Json>, options: GuardCallsOptions = {}): Step {
  checkOptions('guardCalls()', options, ['name', 'timeoutMs'])
  checkArgument(check, 'check of guardCalls()', 'a function')
  const { name = 'calls', timeoutMs = checkMs } = options
  const note = ownNote<{ readonly turn: number }>(`guard/${name}`)

  return async (run) => {
    const { iteration: turn } = run.state
    const open = openCalls(run.state).filter((call) => isOurs(run, call))
    if (open.length === 0 || note.read(run)?.turn === turn) return undefined
    const verdicts = await Promise.all(open.map((call) => verdictOf(run, { check, timeoutMs }, call)))
    for (const [index, verdict] of verdicts.entries()) if (open[index]) settle(run, open[index], verdict)
    note.write(run, { turn })
    return undefined
  }
}

/** Returns true for a call to check. An input that could not be parsed goes back to the model anyway. */
const isOurs = ({ agent: { tools } }: RunContext, { name, invalid }: Call): boolean =>
  invalid === undefined && !tools[name]?.terminal

function settle(run: RunContext, { key, approvalId }: Call, verdict: Verdict<Json>): void {
  if (verdict.type === 'allow') return
  const { reason } = verdict
  if (verdict.type === 'block') {
    const error = toFailure(new AgentError('guard_blocked', reason), 'guard_blocked')
    run.emit({ type: 'observed', call: key, ms: 0, result: { type: 'execution-denied', reason }, error })
  } else if (approvalId === undefined) {
    run.emit({ type: 'amended', target: key, input: toJson(verdict.value), reason })
  } else {
    throw new AgentError('guard_failed', 'A call that the provider runs cannot be rewritten. Allow it, or block it.')
  }
}

export interface RedactEmailsOptions {
  /** The replacement of an address; `[email]` by default. */
  mark?: string
}

/**
 * Removes e-mail addresses from tool output before the model receives it. The log keeps the output. For `before`, so
 * that no turn starts without it, also after a reload.
 */
export function redactEmails(options: RedactEmailsOptions = {}): Step {
  checkOptions('redactEmails()', options, ['mark'])
  const { mark = '[email]' } = options
  return (run) => {
    for (const { key: target, result, output } of latestTurn(run.state)?.calls ?? []) {
      const redacted = withoutEmails(result, mark)
      if (!redacted || redacted === result) continue
      const amended = { result: redacted, ...(output !== undefined && { output: withoutEmails(output, mark) }) }
      run.emit({ type: 'amended', target, ...amended, reason: 'E-mail addresses are redacted.' })
    }
    return undefined
  }
}

/** Matches words, and addresses in all scripts. It consumes each word, so no text is read twice. */
const wordOrAddress = /[\p{L}\p{N}._%+-]+(?<host>@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24})?/gu

/** Returns the value without addresses; the same value if it has none. */
function withoutEmails<T>(value: T, mark: string): T {
  const text = JSON.stringify(value)
  if (!text?.includes('@')) return value
  const redacted = JSON.parse(text, (_, part) => (typeof part === 'string' ? withoutAddresses(part, mark) : part))
  return JSON.stringify(redacted) === text ? value : redacted
}

const withoutAddresses = (text: string, mark: string): string =>
  text.replace(wordOrAddress, (found: string, host: string | undefined) => (host === undefined ? found : mark))
