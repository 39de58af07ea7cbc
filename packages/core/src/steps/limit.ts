import { demand } from '../demand.ts'
import type { Limits } from '../limit.ts'
import { limitNoteOf, noteLimit, wasLastTurn } from '../limitNote.ts'
import { awaitsThought } from '../openCalls.ts'
import type { RunContext, Step } from '../run.ts'
import type { RunState } from '../state.ts'
import { boundCalls } from './boundCalls.ts'
import { isNear } from './isNear.ts'
import { hadLastTurn, isLastTurnDue, planLastTurn } from './lastTurn.ts'
import { checkLimits, inWords, type LimitReading, readLimits, short } from './readLimits.ts'
import { askOnce, isReached, restAt } from './restAtLimit.ts'

export interface LimitOptions {
  /** Tells the model what is left, once such a share of a limit is used: 0.8 for four fifths. */
  remindAt?: number
  /** Asks a user whether to extend or finish, once this share is used. The run continues meanwhile. */
  askAt?: number
  /**
   * Gives the model one last turn without other tools, to answer with what it has. `reserved`: before a limit is
   * reached, or at once if that was unexpected. `onFinish`: when a user finishes the run, which `askAt` implies.
   */
  lastTurn?: 'reserved' | 'onFinish'
}

/**
 * Rests before a turn that would begin at or beyond a limit, and refuses the calls of a turn that go beyond `toolCalls`. Limits count from the user's latest message. The rest holds a
 * question: the reply extends the limit, or finishes. What the options do is done once per limit and message, also after a
 * reload and an extension.
 */
export function limit(limits: Limits, { remindAt, askAt, lastTurn }: LimitOptions = {}): Step {
  checkLimits(limits)
  checkShare('remindAt', remindAt)
  checkShare('askAt', askAt)
  demand(
    lastTurn === undefined || lastTurn === 'reserved' || lastTurn === 'onFinish',
    `limit() has lastTurn: "${lastTurn}". Use "reserved" or "onFinish".`,
  )
  const answers = lastTurn !== undefined || askAt !== undefined

  return (run) => {
    const { state } = run
    boundCalls(run, limits)
    if (!awaitsThought(state)) return undefined
    const isDue = isLastTurnDue(state) || (state.request.finish && !hadLastTurn(state))
    if (isDue) return planLastTurn(run)
    if (state.request.finish && wasLastTurn(state) && !isInterrupted(state))
      return { type: 'stopped', reason: 'Finished without an answer.' }
    const readings = readLimits(run, limits)
    if (lastTurn === 'reserved' && !hadLastTurn(state) && readings.some((reading) => isNear(state, reading)))
      return planLastTurn(run)
    const reached = readings.find(isReached)
    if (reached) return restAt(run, reached, answers && !hadLastTurn(state) ? { finish: 'answer' } : {})
    if (remindAt !== undefined) remind(run, readings.filter(isAbove(remindAt)))
    if (askAt !== undefined) askBeforehand(run, readings.filter(isAbove(askAt)))
    return undefined
  }
}

function checkShare(name: string, share: number | undefined): void {
  demand(
    share === undefined || (share > 0 && share < 1),
    `limit() has ${name}: ${share}. Use a number between 0 and 1.`,
  )
}

/** Returns true if a user message is pending. */
const isInterrupted = ({ pending }: RunState): boolean => pending.some(({ by }) => by === 'user')

const isAbove =
  (share: number) =>
  ({ used, allowed }: LimitReading): boolean =>
    used >= share * allowed

function askBeforehand(run: RunContext, readings: readonly LimitReading[]): void {
  for (const reading of readings) {
    const { limit: name, used, allowed } = reading
    const { asked } = limitNoteOf(run.state)
    if (asked.includes(name)) continue
    const prompt = `${short(used)} of ${inWords(allowed, name)} used. Go on for longer, or finish now?`
    askOnce(run, reading, { prompt, finish: 'answer' })
    noteLimit(run, { asked: [...asked, name] })
  }
}

function remind(run: RunContext, readings: readonly LimitReading[]): void {
  const { reminded } = limitNoteOf(run.state)
  const untold = readings.filter(({ limit: name }) => !reminded.includes(name))
  if (untold.length === 0) return
  noteLimit(run, { reminded: [...reminded, ...untold.map(({ limit: name }) => name)] })
  const left = untold.map(({ limit: name, used, allowed }) => `${short(allowed - used)} of ${inWords(allowed, name)}`)
  const content = `You are near a limit. What is left: ${left.join(', ')}. Come to an answer within that.`
  run.emit({ type: 'said', by: 'agent', content })
}
