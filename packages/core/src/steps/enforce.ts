import { checkOptions, checkRunState, DEV } from '#checks'
import { readAnswer } from '../capabilities/answer/readAnswer.ts'
import { AgentError } from '../error.ts'
import { joined } from '../history/scratchpad.ts'
import { toJson } from '../json.ts'
import { assertOption } from '../options.ts'
import type { RunContext, Step } from '../run.ts'
import { accept } from '../schema.ts'
import { type AnswerSignal, failed, type Signal } from '../signal.ts'
import { awaitsThought, noteOf, type RunState } from '../state.ts'
import { ofRequest, type RequestNote, requestTurns, sayOnce, terminalTools, textTurn, wasLastTurn } from '../step.ts'

export interface EnforceOptions {
  /** Reminders for each request of the user; 2 by default. */
  attempts?: number
  /** Writes a reminder. Attempts count from 1. */
  remind?: (state: RunState, attempt: number) => string
  /** The outcome after the last attempt: the last text becomes the answer, or the run fails. `complete` by default. */
  whenExhausted?: 'complete' | 'fail'
}

/** The effort to make the model end the user's latest request. */
export interface Enforcement {
  /** The number of reminders. */
  readonly attempts: number
  /** True if its last text became the answer in the end. */
  readonly completed: boolean
}

/**
 * Makes a model end a request with the tool of the stop rule: `reasonAct({ otherwise: enforce() })`. After a turn that only
 * talks, the model is reminded, a few times. Then its text is the answer, with the reason `completed`, or the run fails
 * with `answer_missing`. It also fails if the text does not fit the agent's `output`.
 */
export function enforce(options: EnforceOptions = {}): Step {
  checkOptions('enforce()', options, ['attempts', 'remind', 'whenExhausted'])
  const { attempts = 2, remind, whenExhausted = 'complete' } = options
  assertOption(
    Number.isInteger(attempts) && attempts >= 0,
    DEV && `enforce({ attempts: ${attempts} }): use a whole number from 0.`,
  )
  return async (run) => {
    if (!textTurn(run.state) || run.state.pending.length > 0) return undefined
    const attempt = attemptOf(run.state)
    if (attempt <= attempts) {
      const content = remind?.(run.state, attempt) ?? reminder(run, attempts - attempt)
      note(run, { attempts: attempt })
      run.emit({ type: 'said', by: 'agent', content })
      return undefined
    }
    const answer = whenExhausted === 'complete' ? await lastAnswer(run) : undefined
    const { attempts: made } = reminders(run.state)
    note(run, { attempts: made, over: answer ? 'completed' : 'failed' })
    return answer ?? missing(run, made)
  }
}

/** Returns the work of `enforce` for the user's latest request. */
export function enforced(state: RunState): Enforcement {
  checkRunState(state, 'enforced()')
  const { attempts, over } = reminders(state)
  return { attempts, completed: over === 'completed' }
}

const key = 'enforce'
interface EnforceNote extends RequestNote {
  readonly attempts: number
  /** The turn that it was about. */
  readonly turn?: number
  /** Set when the run has ended. If it continues, reminders start from zero. */
  readonly over?: 'completed' | 'failed'
}

const reminders = (state: RunState): Omit<EnforceNote, 'request'> =>
  ofRequest(noteOf<EnforceNote>(state, key), state) ?? { attempts: 0 }

function note(run: RunContext, value: Omit<EnforceNote, 'request' | 'turn'>): void {
  const { request, iteration: turn } = run.state
  run.emit({ type: 'noted', key, value: { request: request.seq, turn, ...value } })
}

/** Returns the number of the reminder that this turn needs. After a reload it may be counted already, but not sent. */
function attemptOf(state: RunState): number {
  const { attempts, turn, over } = reminders(state)
  const isCounted = turn === state.iteration
  // After the last turn no turn follows to remind.
  if (wasLastTurn(state)) return Number.POSITIVE_INFINITY
  if (over) return over === 'completed' && isCounted ? Number.POSITIVE_INFINITY : 1
  return isCounted ? attempts : attempts + 1
}

function reminder({ agent, state }: RunContext, left: number): string {
  const names = terminalTools(agent).join(' or ')
  const turn = textTurn(state)
  const wrote =
    turn && joined(turn, 'text').trim() === '' ? 'You wrote nothing.' : 'Your text alone does not end the task.'
  if (!names) return `${wrote} Call a tool.`
  if (left === 0) return `${wrote} Call ${names} now, with the best answer you have.`
  return `${wrote} Call ${names} with the answer, or continue with another tool if you do not have it yet.`
}

/** Returns the last text of the request, if it can be the answer. */
async function lastAnswer({ agent, state }: RunContext): Promise<AnswerSignal | undefined> {
  const terminal = Object.values(agent.tools).find((spec) => spec.terminal)
  const { output } = terminal ?? agent
  for (const turn of requestTurns(state)) {
    const text = joined(turn, 'text').trim()
    if (turn.error || turn.calls.length > 0 || text === '') continue
    const checked = output ? await readAnswer(text, output) : accept(text)
    return checked.ok ? { type: 'answer', output: toJson(checked.value), reason: 'completed' } : undefined
  }
  return undefined
}

function missing({ agent }: RunContext, made: number): Signal {
  const names = terminalTools(agent).join(' or ') || 'a tool'
  const what = `The model did not call ${names} to end, after ${made} reminders, and left no text that can be the answer.`
  return failed(new AgentError('answer_missing', what))
}

export interface ForceActionOptions {
  /** Consecutive turns without a call; 3 by default. */
  after?: number
}

/**
 * Makes a model act that only thinks: after this many turns in a row without a call, it must make one in the next. Any
 * call resets the count. For `before`.
 */
export function forceAction(options: ForceActionOptions = {}): Step {
  checkOptions('forceAction()', options, ['after'])
  const { after = 3 } = options
  assertOption(
    Number.isInteger(after) && after > 0,
    DEV && `forceAction({ after: ${after} }): use a whole number above 0.`,
  )

  return (run) => {
    const { state, agent, plan } = run
    if (!awaitsThought(state) || Object.keys(agent.tools).length === 0 || plan.toolChoice?.type === 'none')
      return undefined
    if (!isIdle(state, after)) return undefined
    run.replan({ toolChoice: { type: 'required' } })
    sayOnce(run, `You have thought for ${after} turns without acting. Call a tool now.`)
    return undefined
  }
}

/** Returns true if this many of the latest turns called nothing. Turns that were cut off do not count. */
function isIdle(state: RunState, after: number): boolean {
  let idle = 0
  for (const { parts, error } of requestTurns(state)) {
    if (parts.some(({ type }) => type === 'tool-call')) return false
    if (!error && ++idle === after) return true
  }
  return false
}
