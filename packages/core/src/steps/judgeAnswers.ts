import { derive } from '../derive.ts'
import { AgentError } from '../error.ts'
import type { EventBody, Observed } from '../event.ts'
import { failed } from '../failed.ts'
import { needsOf } from '../needsOf.ts'
import { ofRequest, type RequestNote } from '../ofRequest.ts'
import { failedOutcome } from '../outcome.ts'
import { reduce } from '../reduce.ts'
import type { RunContext, Step } from '../run.ts'
import type { Signal } from '../signal.ts'
import type { RunState } from '../state.ts'
import { answerWith } from './answerWith.ts'
import { type OwnNote, ownNote } from './ownNote.ts'
import type { Verdict } from './verdict.ts'

export interface AnswerOptions {
  /** Tells several of one kind apart; `answer` by default. */
  name?: string
  /** The model's additional attempts per user request. */
  attempts?: number
}

export interface AnswerJudge extends Required<AnswerOptions> {
  readonly code: 'answer_invalid' | 'guard_blocked'
  judge(run: RunContext, output: unknown): Promise<Verdict<unknown>>
}

/** The verdict on a turn's answer, and the number of rejected answers of this request. */
interface Judged extends RequestNote {
  readonly turn: number
  readonly sentBack: number
  readonly verdict: Verdict<unknown>
}

/**
 * Wraps a stop rule so that each answer is judged once before it ends the run: it is accepted, changed, or goes back to
 * the model with the problem.
 */
export function judgeAnswers(stop: Step, { name, attempts, code, judge }: AnswerJudge): Step {
  const note: OwnNote<Judged> = ownNote(name)

  const step: Step = async (run) => {
    const held: Observed[] = []
    const signal = await stop(holding(run, held))
    if (signal?.type !== 'answer') return release(run, held, signal)
    const { iteration: turn, request } = run.state
    const known = note.read(run)
    const judged = known?.turn === turn ? known.verdict : undefined
    // It was sent back already, and the model has yet to hear of it. Calls that are open were not told of it yet.
    if (judged?.type === 'block' && held.length === 0 && run.state.pending.length > 0) return undefined
    const verdict = judged ?? (await judge(run, signal.output))
    const answer = verdict.type === 'rewrite' ? await answerWith(run, signal, verdict.value) : signal
    const before = ofRequest(known, run.state)?.sentBack ?? 0
    const sentBack = !judged && verdict.type === 'block' ? before + 1 : before
    if (!judged) note.write(run, { turn, request: request.seq, sentBack, verdict })
    if (verdict.type !== 'block') return release(run, held, answer)
    const complaint = new AgentError(code, `The answer was not accepted: ${verdict.reason}`, { retryable: true })
    complain(run, held, complaint)
    return sentBack > attempts ? failed(complaint) : undefined
  }
  return Object.assign(step, needsOf(stop))
}

/**
 * Holds back a rule's observations until the answer is accepted: every call gets exactly one observation, and an open
 * one is answered again after a reload. The rule itself sees its own events.
 */
function holding(run: RunContext, held: Observed[]): RunContext {
  const emit = (event: EventBody): void => {
    if (event.type === 'observed') held.push(event)
    else run.emit(event)
  }
  return derive(run, {
    emit,
    get state(): RunState {
      return held.reduce((state, event) => {
        const { seq, updatedAt: at, iteration } = state
        return reduce(state, { seq, at, iteration, ...event })
      }, run.state)
    },
  })
}

function release(run: RunContext, held: readonly Observed[], signal?: Signal): Signal | undefined {
  for (const event of held) run.emit(event)
  return signal
}

/** In place of the word that the answer was taken, or as a message where it was no call. */
function complain(run: RunContext, held: readonly Observed[], complaint: AgentError): void {
  const { result, error } = failedOutcome(complaint)
  const told = held.map(({ final, ...observed }) =>
    final ? { ...observed, result, ...(error && { error }) } : observed,
  )
  release(run, told)
  if (!held.some(({ final }) => final))
    run.emit({ type: 'said', by: 'agent', content: `${complaint.message} Answer again.` })
}
