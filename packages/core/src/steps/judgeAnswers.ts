import { checkArgument, checkOptions, checkStep } from '#checks'
import { copyInput } from '../calls/copyInput.ts'
import { reduce } from '../changes/all.ts'
import { inTime } from '../engine/wait.ts'
import { AgentError } from '../error.ts'
import type { EventBody, Observed } from '../event.ts'
import { toJson } from '../json.ts'
import type { RunContext, Step } from '../run.ts'
import { accept, type Checked, compileSchema, type Schema } from '../schema.ts'
import { type AnswerSignal, failed } from '../signal.ts'
import type { RunState } from '../state.ts'
import { needsOf, ofRequest, type RequestNote } from '../step.ts'
import { failedOutcome } from '../tool.ts'
import {
  allow,
  block,
  type Check,
  checkMs,
  type OwnNote,
  ownNote,
  rewrite,
  type Verdict,
  verdictOf,
} from './verdict.ts'

export interface AnswerOptions {
  /** Distinguishes several of one kind in an agent. */
  name?: string
  /** The model's additional attempts per user request: by default none for `guardOutput`, and 2 for `validate`. */
  attempts?: number
  /** The time of one check or change; 60,000 ms by default. If it takes longer, the run fails and can be resumed. */
  timeoutMs?: number
}

/** The verdict on a turn's answer, and the number of rejected answers of this request. */
interface Judged extends RequestNote {
  readonly turn: number
  readonly sentBack: number
  readonly verdict: Verdict<unknown>
}

/** Wraps a stop rule so that each answer is judged once: accepted, changed, or sent back to the model. */
function judgeAnswers(
  stop: Step,
  code: 'answer_invalid' | 'guard_blocked',
  { name, attempts }: Required<Pick<AnswerOptions, 'name' | 'attempts'>>,
  judge: (run: RunContext, output: unknown) => Promise<Verdict<unknown>>,
): Step {
  const note: OwnNote<Judged> = ownNote(name)

  const step: Step = async (run) => {
    const held: Observed[] = []
    const signal = await stop(holding(run, held))
    if (signal?.type !== 'answer') {
      emitAll(run, held)
      return signal
    }
    const { iteration: turn, request } = run.state
    const known = note.read(run)
    const judged = known?.turn === turn ? known.verdict : undefined
    // It was sent back already, and the model has not received the reason. Calls that are still open have no
    // observation of it.
    if (judged?.type === 'block' && held.length === 0 && run.state.pending.length > 0) return undefined
    const verdict = judged ?? (await judge(run, signal.output))
    const answer = verdict.type === 'rewrite' ? await answerWith(run, signal, verdict.value) : signal
    const before = ofRequest(known, run.state)?.sentBack ?? 0
    const sentBack = !judged && verdict.type === 'block' ? before + 1 : before
    if (!judged) note.write(run, { turn, request: request.seq, sentBack, verdict })
    if (verdict.type !== 'block') {
      emitAll(run, held)
      return answer
    }
    const problem = new AgentError(code, `The answer was not accepted: ${verdict.reason}`, { retryable: true })
    refuseAnswer(run, held, problem)
    return sentBack > attempts ? failed(problem) : undefined
  }
  return Object.assign(step, needsOf(stop))
}

/** Holds back a rule's observations until the answer is accepted. The rule itself sees its own events. */
function holding(run: RunContext, held: Observed[]): RunContext {
  const emit = (event: EventBody): void => {
    if (event.type === 'observed') held.push(event)
    else run.emit(event)
  }
  return run.with({
    emit,
    get state(): RunState {
      return held.reduce((state, event) => {
        const { seq, updatedAt: at, iteration } = state
        return reduce(state, { seq, at, iteration, ...event })
      }, run.state)
    },
  })
}

function emitAll(run: RunContext, events: readonly EventBody[]): void {
  for (const event of events) run.emit(event)
}

/** Reports the problem instead of the acceptance, or as a message if the answer was not a call. */
function refuseAnswer(run: RunContext, held: readonly Observed[], problem: AgentError): void {
  const { result, error } = failedOutcome(problem)
  const refused = held.map(({ final, ...observed }) =>
    final ? { ...observed, result, ...(error && { error }) } : observed,
  )
  emitAll(run, refused)
  if (!held.some(({ final }) => final))
    run.emit({ type: 'said', by: 'agent', content: `${problem.message} Answer again.` })
}

/** Returns the answer with another output. Throws if that is not of the type of the agent's answers. */
async function answerWith(run: RunContext, answer: AnswerSignal, output: unknown): Promise<AnswerSignal> {
  const fits = await checkOutput(run, output)
  // A schema that converts its input does not accept its own output.
  if (fits.ok || !(await checkOutput(run, answer.output)).ok) return { ...answer, output: toJson(output) }
  throw new AgentError('answer_invalid', `The replacement of the answer does not fit the agent: ${fits.message}.`)
}

export async function checkOutput({ agent }: RunContext, output: unknown): Promise<Checked> {
  if (agent.output) return agent.output.check(output)
  return typeof output === 'string' ? accept(output) : { ok: false, message: 'without an `output` an answer is text' }
}

/**
 * Checks each answer of a stop rule once, before it ends the run. The model learns the reason of a block, and the run
 * fails with `guard_blocked`, unless `attempts` remain; by default there are none.
 */
export function guardOutput<Output>(stop: Step, check: Check<Output>, options: AnswerOptions = {}): Step {
  checkOptions('guardOutput()', options, ['name', 'attempts', 'timeoutMs'])
  checkStep(stop, 'guardOutput()', 'textAnswer()')
  checkArgument(check, 'check of guardOutput()', 'a function')
  const { name = 'output', attempts = 0, timeoutMs = checkMs } = options
  return judgeAnswers(stop, 'guard_blocked', { name: `guard/${name}`, attempts }, (run, output) =>
    verdictOf(run, { check: check as Check<unknown>, timeoutMs }, output),
  )
}

/** Changes the answers of a stop rule, each once. The result has to fit the agent's `output`, or be text. */
export function postprocess<Output>(
  stop: Step,
  change: (output: Output, state: RunState) => Output | PromiseLike<Output>,
  options: Pick<AnswerOptions, 'name' | 'timeoutMs'> = {},
): Step {
  checkOptions('postprocess()', options, ['name', 'timeoutMs'])
  checkStep(stop, 'postprocess()', 'textAnswer()')
  checkArgument(change, 'change of postprocess()', 'a function')
  const { name = 'answer', timeoutMs = checkMs } = options
  return judgeAnswers(stop, 'answer_invalid', { name: `postprocess/${name}`, attempts: 0 }, async (run, output) =>
    rewrite(
      await inTime(run, { name: 'change of an answer', timeoutMs }, () =>
        change(copyInput(output) as Output, run.state),
      ),
    ),
  )
}

/** Returns what is wrong with an answer, or undefined. */
export type AnswerCheck<Output> = (
  output: Output,
  state: RunState,
) => string | undefined | PromiseLike<string | undefined>

/**
 * Sends an invalid answer of a stop rule back to the model with the problem, `attempts` times; 2 by default. Then the
 * run fails with `answer_invalid` and the last problem. A schema only validates: the answer does not change.
 */
export function validate<Output>(stop: Step, check: Schema | AnswerCheck<Output>, options: AnswerOptions = {}): Step {
  checkOptions('validate()', options, ['name', 'attempts', 'timeoutMs'])
  checkStep(stop, 'validate()', 'textAnswer()')
  const { name = 'answer', attempts = 2, timeoutMs = checkMs } = options
  const problemOf = toAnswerCheck(check as Schema | AnswerCheck<unknown>)
  const asCheck: Check<unknown> = async (output, state) => {
    const problem = await problemOf(output, state)
    return problem === undefined ? allow : block(problem)
  }
  return judgeAnswers(stop, 'answer_invalid', { name: `validate/${name}`, attempts }, (run, output) =>
    verdictOf(run, { check: asCheck, timeoutMs }, output),
  )
}

function toAnswerCheck(check: Schema | AnswerCheck<unknown>): AnswerCheck<unknown> {
  // The schemas of some libraries are functions too.
  if (typeof check === 'function' && !('~standard' in check)) return check
  const schema = compileSchema(check, 'validate()')
  return async (output) => {
    const checked = await schema.check(output)
    return checked.ok ? undefined : checked.message
  }
}
