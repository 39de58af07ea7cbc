import { checkArgument, checkOptions, DEV } from '#checks'
import { AgentError } from '../error.ts'
import type { Host } from '../host.ts'
import { assertOption } from '../options.ts'
import type { RunContext, Step } from '../run.ts'
import type { CountedLimit, LimitReachedSignal, Limits } from '../signal.ts'
import { awaitsThought, latestTurn, openCalls, type RunState, type Turn } from '../state.ts'
import { limitNoteOf, noteLimit, refuseCall, requestTurns, sayOnce, terminalTools, wasLastTurn } from '../step.ts'
import { askAtLimit, isReached, type LimitReading, limitId, limitSignal } from '../stop/atLimit.ts'

type Reading = LimitReading<CountedLimit>

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

/**
 * Pauses the run before a turn that would begin at or beyond a limit, and rejects the calls of a turn that exceed
 * `toolCalls`. Limits count from the user's latest message. The signal has a question: the reply extends the limit, or
 * finishes. Each option takes effect once per limit and message, also after a reload and an extension.
 */
export function limit(limits: Limits, options: LimitOptions = {}): Step {
  checkOptions('limit()', options, ['remindAt', 'askAt', 'lastTurn'])
  const { remindAt, askAt, lastTurn } = options
  checkLimits(limits)
  for (const [name, share] of Object.entries({ remindAt, askAt })) {
    const isShare = share === undefined || (share > 0 && share < 1)
    assertOption(isShare, DEV && `limit() has ${name}: ${share}. Use a number between 0 and 1.`)
  }
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
      const finish = answers && !hadLastTurn(state) ? 'answer' : undefined
      return pauseAt(run, reached, finish)
    }
    if (remindAt !== undefined) remind(run, readings.filter(isAbove(remindAt)))
    if (askAt !== undefined) askBeforehand(run, readings.filter(isAbove(askAt)))
    return undefined
  }
}

/** Returns true if a user message is pending. */
const isInterrupted = ({ pending }: RunState): boolean => pending.some(({ by }) => by === 'user')

const isAbove =
  (share: number) =>
  ({ used, allowed }: Reading): boolean =>
    used >= share * allowed

function askBeforehand(run: RunContext, readings: readonly Reading[]): void {
  for (const reading of readings) {
    const { limit: name, used, allowed } = reading
    const { asked } = limitNoteOf(run.state)
    if (asked.includes(name)) continue
    const prompt = `${rounded(used)} of ${inWords(allowed, name)} used. Go on for longer, or finish now?`
    askAtLimit(run, reading, { id: limitId(run, reading), prompt, finish: 'answer' })
    noteLimit(run, { asked: [...asked, name] })
  }
}

function remind(run: RunContext, readings: readonly Reading[]): void {
  const { reminded } = limitNoteOf(run.state)
  const unannounced = readings.filter(({ limit: name }) => !reminded.includes(name))
  if (unannounced.length === 0) return
  noteLimit(run, { reminded: [...reminded, ...unannounced.map(({ limit: name }) => name)] })
  const left = unannounced.map(
    ({ limit: name, used, allowed }) => `${rounded(allowed - used)} of ${inWords(allowed, name)}`,
  )
  const content = `You are near a limit. What is left: ${left.join(', ')}. Come to an answer within that.`
  run.emit({ type: 'said', by: 'agent', content })
}

/** Returns true if the next turn would be the last, assuming that it uses as much as the latest. */
function isNear(state: RunState, { limit, used, allowed }: Reading): boolean {
  const [latest] = requestTurns(state)
  return used + perTurn[limit](latest) >= allowed
}

/** The usage of the latest turn on this request, if there is one. */
const perTurn: Readonly<Record<CountedLimit, (turn: Turn | undefined) => number>> = {
  iterations: () => 1,
  tokens: (turn) => (turn ? turn.usage.inputTokens + turn.usage.outputTokens : 0),
  cost: (turn) => turn?.usage.cost ?? 0,
  toolCalls: () => 0,
  ms: (turn) => turn?.ms ?? 0,
}

/** Makes the next turn the last one, in which the model must answer with what it has. */
function planLastTurn(run: RunContext): undefined {
  const next = run.state.iteration + 1
  const { last } = limitNoteOf(run.state)
  if (last !== next) noteLimit(run, { last: next })
  const terminal = terminalTools(run.agent)
  // A model that must not call still gets the tools: some providers reject a history of calls without them.
  run.replan(
    terminal.length > 0 ? { tools: terminal, toolChoice: { type: 'required' } } : { toolChoice: { type: 'none' } },
  )
  const how = terminal.length > 0 ? ` by calling ${terminal.join(' or ')}` : ' and call no tool'
  const words = `This is your last turn. Answer now with what you have${how}. Say what is missing or uncertain.`
  // After a failed turn the model has the message already.
  if (!hasReceived(run.state, words)) sayOnce(run, words)
}

/** Returns true if the model has received this message of its agent on the request. */
const hasReceived = ({ history, request }: RunState, words: string): boolean =>
  history
    .flat()
    .some(
      (entry) => entry.type === 'said' && entry.by === 'agent' && entry.content === words && entry.seq > request.seq,
    )

const hadLastTurn = (state: RunState): boolean => limitNoteOf(state).last !== undefined

/** Returns true if the last turn is announced and has not happened yet, or was cut off. */
function isLastTurnDue(state: RunState): boolean {
  const { last } = limitNoteOf(state)
  return last === state.iteration + 1 || (last === state.iteration && latestTurn(state)?.error !== undefined)
}

/** The unit of each limit in words, and its usage. */
const counters: Readonly<Record<CountedLimit, { unit: string; used(state: RunState, host: Host): number }>> = {
  iterations: { unit: 'iterations', used: (state) => state.iteration - state.request.iteration },
  tokens: {
    unit: 'tokens',
    used: ({ usage, request }) =>
      usage.inputTokens + usage.outputTokens - request.usage.inputTokens - request.usage.outputTokens,
  },
  cost: { unit: 'of cost', used: ({ usage, request }) => usage.cost - request.usage.cost },
  toolCalls: { unit: 'tool calls', used: (state) => state.toolCalls - state.request.toolCalls },
  ms: {
    unit: 'milliseconds',
    // The clock may have been set back since the latest event, and the process may have slept.
    used: ({ request, updatedAt }, host) =>
      Math.max(host.now(), updatedAt) -
      request.startedAt -
      request.settledMs -
      (host.skipped?.(request.startedAt) ?? 0),
  },
}

function readLimits({ state, host }: RunContext, limits: Limits): Reading[] {
  return (Object.keys(limits) as CountedLimit[]).map((limit) => {
    const { [limit]: suggested = 0 } = limits
    const allowed = suggested + (state.extensions[limit] ?? 0)
    return { limit, used: counters[limit].used(state, host), allowed, suggested }
  })
}

/** Formats an amount, such as `20 iterations`. */
const inWords = (amount: number, limit: CountedLimit): string => `${rounded(amount)} ${counters[limit].unit}`

function checkLimits(limits: Limits): void {
  checkArgument(limits, 'limits', 'an object, such as { iterations: 20 }')
  for (const [name, value] of Object.entries(limits)) {
    const names = Object.keys(counters)
    assertOption(names.includes(name), DEV && `There is no limit "${name}". The limits are: ${names.join(', ')}.`)
    assertOption(
      typeof value === 'number' && value > 0,
      DEV && `The limit ${name} is ${value}. Give a number above 0, or leave it out.`,
    )
  }
}

/** Pauses the run before a turn that would begin at or beyond a limit: the small core of `limit`. */
export function pauseAtLimit(limits: Limits): Step {
  checkLimits(limits)
  return (run) => {
    boundCalls(run, limits)
    if (!awaitsThought(run.state)) return undefined
    const reached = readLimits(run, limits).find(isReached)
    return reached && pauseAt(run, reached)
  }
}

/** Limits the next turn to the remaining tool calls, and also the latest, which may be of a foreign log. */
function boundCalls(run: RunContext, { toolCalls }: Limits): void {
  if (toolCalls === undefined) return
  for (const { used, allowed } of readLimits(run, { toolCalls })) {
    const left = Math.max(0, allowed - used)
    run.replan({ after: [() => startAtMost(run, left)] })
    startAtMost(run, left)
  }
}

/** Formats an amount without the noise of sums of fractions. */
const rounded = (amount: number): number => (Number.isInteger(amount) ? amount : Number(amount.toPrecision(6)))

/** Pauses the run at a limit. `finish` is the effect of finishing. */
function pauseAt(run: RunContext, reading: Reading, finish?: 'answer'): LimitReachedSignal {
  const prompt = `The limit of ${inWords(reading.allowed, reading.limit)} is reached. Go on?`
  return limitSignal(run, reading, { id: limitId(run, reading), prompt, finish })
}

/** Lets at most this many of the open calls start, in the model's order. The model reads why the others do not. */
function startAtMost(run: RunContext, most: number): void {
  let left = most
  for (const { key, name, claimedAt, invalid, approvalId } of openCalls(run.state)) {
    const spec = run.agent.tools[name]
    const counts = spec && !spec.terminal && !invalid && approvalId === undefined && claimedAt === undefined
    if (!counts || left-- > 0) continue
    const why = `This call was not run: ${most} more calls were allowed. Call it again if you still need it.`
    refuseCall(run, key, new AgentError('too_many', why))
  }
}
