import { assertOption, type KnownOptions, refuseUnknown } from '../options.ts'
import type { RunContext, Step } from '../run.ts'
import type { BudgetName, Limits } from '../signal.ts'
import { awaitsThought, latestTurn, type RunState } from '../state.ts'
import { limitNoteOf, noteLimit, sayOnce, terminalTools, wasLastTurn } from '../step.ts'
import { askOnce, isReached, type LimitReading, restAt, short } from './atLimit.ts'
import { boundCalls, checkLimits, inWords, readLimits } from './readLimits.ts'

export interface LimitOptions {
  /** Reminds the model of what is left, once this share of a limit is used: 0.8 for four fifths. */
  remindAt?: number
  /** Asks a user whether to extend or finish, once this share is used. The run continues meanwhile. */
  askAt?: number
  /**
   * Gives the model one last turn without other tools, to answer with what it has. `reserved`: before a limit is
   * reached, or at once if that was unexpected. `onFinish`: when a user finishes the run, which `askAt` implies.
   */
  lastTurn?: 'reserved' | 'onFinish'
}

const limitOptions: KnownOptions<LimitOptions> = {
  remindAt: 'a number (0 or more)',
  askAt: 'a number (0 or more)',
  lastTurn: '"reserved" or "onFinish"',
}

/**
 * Pauses the run before a turn that would begin at or beyond a limit, and rejects the calls of a turn that exceed
 * `toolCalls`. Limits count from the user's latest message. The signal has a question: the reply extends the limit, or
 * finishes. Each option takes effect once per limit and message, also after a reload and an extension.
 */
export function limit(limits: Limits, options: LimitOptions = {}): Step {
  refuseUnknown('limit()', options, limitOptions)
  const { remindAt, askAt, lastTurn } = options
  checkLimits(limits)
  checkShare('remindAt', remindAt)
  checkShare('askAt', askAt)
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
    if (reached) {
      const finishing = answers && !hadLastTurn(state) ? { finish: 'answer' as const } : {}
      return restAt(run, reached, inWords(reached.allowed, reached.limit), finishing)
    }
    if (remindAt !== undefined) remind(run, readings.filter(isAbove(remindAt)))
    if (askAt !== undefined) askBeforehand(run, readings.filter(isAbove(askAt)))
    return undefined
  }
}

function checkShare(name: string, share: number | undefined): void {
  assertOption(
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

/** Returns true if the next turn would be the last, assuming that it uses as much as the latest. */
const isNear = (state: RunState, { limit, used, allowed }: LimitReading): boolean =>
  used + perTurn[limit](state) >= allowed

const perTurn: Readonly<Record<BudgetName, (state: RunState) => number>> = {
  iterations: () => 1,
  tokens: (state) => (turnOf(state)?.usage.inputTokens ?? 0) + (turnOf(state)?.usage.outputTokens ?? 0),
  cost: (state) => turnOf(state)?.usage.cost ?? 0,
  toolCalls: () => 0,
  ms: (state) => turnOf(state)?.ms ?? 0,
}

/** Returns the latest turn, if it was on this request. */
function turnOf(state: RunState): ReturnType<typeof latestTurn> {
  const turn = latestTurn(state)
  return turn && turn.iteration > state.request.iteration ? turn : undefined
}

/** Makes the next turn the last one, in which the model must answer with what it has. */
function planLastTurn(run: RunContext): undefined {
  const next = run.state.iteration + 1
  const { last: known = next } = limitNoteOf(run.state)
  noteLast(run, next)
  const terminal = terminalTools(run.agent)
  // A model that must not call still gets the tools: some providers reject a history of calls without them.
  run.replan(
    terminal.length > 0 ? { tools: terminal, toolChoice: { type: 'required' } } : { toolChoice: { type: 'none' } },
  )
  // After a failed turn the model has the message already.
  if (known !== next) return
  const how = terminal.length > 0 ? ` by calling ${terminal.join(' or ')}` : ' and call no tool'
  sayOnce(run, `This is your last turn. Answer now with what you have${how}. Say what is missing or uncertain.`)
}

function noteLast(run: RunContext, last: number): void {
  if (limitNoteOf(run.state).last !== last) noteLimit(run, { last })
}

const hadLastTurn = (state: RunState): boolean => limitNoteOf(state).last !== undefined

/** Returns true if the last turn is announced and has not happened yet, or was cut off. */
function isLastTurnDue(state: RunState): boolean {
  const { last } = limitNoteOf(state)
  return last === state.iteration + 1 || (last === state.iteration && latestTurn(state)?.error !== undefined)
}
