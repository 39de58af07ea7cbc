import { AgentError } from '../error.ts'
import { toJson } from '../json.ts'
import { checkType, type KnownOptions, refuseUnknown } from '../options.ts'
import { isBlank, plainContent, type UserContent } from '../part.ts'
import type { Beside } from '../plan.ts'
import type { RunContext, Step } from '../run.ts'
import { failed, type Signal } from '../signal.ts'
import type { SaidEntry } from '../state.ts'
import { checkOutput } from './judgeAnswers.ts'
import { allow, type Check, type OwnNote, ownNote, type Verdict, verdictOf } from './verdict.ts'

export interface GuardInputOptions {
  /** Distinguishes several guards of one agent; `input` by default. */
  name?: string
  /** Returns the answer to a blocked message, instead of a failure. Must fit the agent's `output`. */
  answer?: (reason: string) => unknown
  /** Runs the check concurrently with the model call; a block discards the turn. Such a check cannot rewrite. */
  parallel?: boolean
}

const guardInputOptions: KnownOptions<GuardInputOptions> = {
  name: 'a string',
  answer: 'a function',
  parallel: 'a boolean',
}

/**
 * Checks each user message once, before the model receives it. The model gets a rewritten message as the check returns
 * it. A blocked one never reaches the model, and ends the request with `guard_blocked` or with an answer. The next
 * message continues. For `before`.
 */
export function guardInput(check: Check<UserContent>, options?: GuardInputOptions & { parallel?: false }): Step
export function guardInput(check: Check<UserContent, never>, options: GuardInputOptions): Step
export function guardInput(check: Check<UserContent>, options: GuardInputOptions = {}): Step {
  refuseUnknown('guardInput()', options, guardInputOptions)
  checkType(check ?? null, 'check of guardInput()', 'a function')
  const { name = 'input', answer, parallel = false } = options
  const guard: InputGuard = { check, note: ownNote(`guard/${name}`), answer, parallel }

  return async (run) => {
    if (parallel && unjudged(run, guard).length > 0) {
      run.replan({ hearBefore: run.state.seq, beside: [() => judgeBeside(run, guard)] })
      return undefined
    }
    while (unjudged(run, guard).length > 0) await judgeOpen(run, guard)
    run.replan({ hearBefore: run.state.seq })
    return refusal(run, guard)
  }
}

interface InputGuard {
  readonly answer: GuardInputOptions['answer']
  readonly check: Check<UserContent>
  readonly parallel: boolean
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
async function judgeBeside(run: RunContext, guard: InputGuard): Promise<Beside> {
  const blocked = await judgeOpen(run, guard)
  return (await refusal(run, guard)) ?? (blocked ? 'void' : undefined)
}

/** Judges the pending messages. Returns true if one of them is blocked. */
async function judgeOpen(run: RunContext, guard: InputGuard): Promise<boolean> {
  const open = unjudged(run, guard)
  const until = run.state.seq
  const verdicts = await Promise.all(open.map((said) => judge(run, guard, said)))
  for (const [index, verdict] of verdicts.entries()) if (open[index]) amend(run, open[index], verdict)
  const last = verdicts.at(-1)
  guard.note.write(run, { until, ...(last?.type === 'block' && { blocked: last.reason }) })
  return verdicts.some(({ type }) => type === 'block')
}

/** Returns the refusal. If several messages wait, the latest decides: earlier blocked ones are omitted. */
async function refusal(run: RunContext, { note, answer }: InputGuard): Promise<Signal | undefined> {
  const latest = fromUser(run).at(-1)
  const judged = note.read(run)
  if (!latest || judged?.blocked === undefined || latest.seq >= judged.until) return undefined
  return refuse(run, judged.blocked, answer)
}

async function judge(run: RunContext, { check, parallel }: InputGuard, { content }: SaidEntry): Promise<Judgement> {
  if (isBlank(content)) return allow
  const verdict = await verdictOf(run, check, content)
  if (parallel && verdict.type === 'rewrite') {
    throw new AgentError('guard_failed', 'A parallel check cannot rewrite: the model already has the message.')
  }
  return verdict
}
type Judgement = Verdict<UserContent>

function amend(run: RunContext, { seq: of }: SaidEntry, verdict: Judgement): void {
  if (verdict.type === 'allow') return
  const content = verdict.type === 'rewrite' ? plainContent(verdict.value) : ''
  run.emit({ type: 'amended', of, content, reason: verdict.reason })
}

async function refuse(run: RunContext, reason: string, answer: GuardInputOptions['answer']): Promise<Signal> {
  if (!answer) return failed(new AgentError('guard_blocked', `The message was blocked: ${reason}`))
  const output = answer(reason)
  const fits = await checkOutput(run, output)
  if (!fits.ok) throw new AgentError('answer_invalid', `The answer of a guard does not fit the agent: ${fits.message}.`)
  return { type: 'answer', output: toJson(output), reason: 'blocked' }
}
