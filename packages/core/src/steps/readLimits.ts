import { AgentError } from '../error.ts'
import { assertOption } from '../options.ts'
import type { Ask } from '../question.ts'
import type { RunContext, Step } from '../run.ts'
import type { BudgetName, LimitReachedSignal, Limits } from '../signal.ts'
import { awaitsThought, openCalls, type RunState } from '../state.ts'
import { failedOutcome } from '../tool.ts'

/** The usage of a limit since the user's latest message. */
export interface LimitReading {
  readonly limit: BudgetName
  readonly used: number
  /** With what replies added to it. */
  readonly allowed: number
  /** The original limit. */
  readonly suggested: number
}

interface Budget {
  /** The unit in words. */
  readonly unit: string
  used(state: RunState, now: number): number
}

const budgets: Readonly<Record<BudgetName, Budget>> = {
  iterations: {
    unit: 'iterations',
    used: (state) => state.iteration - state.request.iteration,
  },
  tokens: {
    unit: 'tokens',
    used: ({ usage, request }) =>
      usage.inputTokens + usage.outputTokens - request.usage.inputTokens - request.usage.outputTokens,
  },
  cost: {
    unit: 'of cost',
    used: ({ usage, request }) => usage.cost - request.usage.cost,
  },
  toolCalls: {
    unit: 'tool calls',
    used: (state) => state.toolCalls - state.request.toolCalls,
  },
  ms: {
    unit: 'milliseconds',
    used: ({ request }, now) => now - request.startedAt - request.restedMs,
  },
}

export function readLimits({ state, host }: RunContext, limits: Limits): LimitReading[] {
  return (Object.keys(limits) as BudgetName[]).map((limit) => {
    const { [limit]: suggested = 0 } = limits
    const allowed = suggested + (state.extensions[limit] ?? 0)
    return { limit, used: budgets[limit].used(state, host.now()), allowed, suggested }
  })
}

/** Such as `20 iterations`. */
export const inWords = (amount: number, limit: BudgetName): string => `${short(amount)} ${budgets[limit].unit}`

/** Without the noise of sums of fractions. */
export const short = (amount: number): number => (Number.isInteger(amount) ? amount : Number(amount.toPrecision(6)))

export function checkLimits(limits: Limits): void {
  for (const [name, value] of Object.entries(limits)) {
    const names = Object.keys(budgets)
    assertOption(names.includes(name), `There is no limit "${name}". The limits are: ${names.join(', ')}.`)
    assertOption(
      typeof value === 'number' && value > 0,
      `The limit ${name} is ${value}. Give a number above 0, or leave it out.`,
    )
  }
}

/** Pauses the run before a turn that would begin at or beyond a limit: the small core of `limit`. */
export function restAtLimit(limits: Limits): Step {
  checkLimits(limits)
  return (run) => {
    boundCalls(run, limits)
    if (!awaitsThought(run.state)) return undefined
    const reached = readLimits(run, limits).find(isReached)
    return reached && restAt(run, reached)
  }
}

/** Returns true if a limit is reached, or if its usage is unknown. */
export const isReached = ({ used, allowed }: LimitReading): boolean => !(used < allowed)

interface LimitAsking {
  /** The effect of finishing. */
  readonly finish?: 'answer'
}

export function restAt(run: RunContext, reading: LimitReading, asking: LimitAsking = {}): LimitReachedSignal {
  const { limit, used, allowed } = reading
  const prompt = `The limit of ${inWords(allowed, limit)} is reached. Go on?`
  return { type: 'limitReached', limit, used, allowed, ask: askOnce(run, reading, { prompt, ...asking }) }
}

/** A question that was asked beforehand is still the one when the limit is reached. */
export function askOnce(
  run: RunContext,
  reading: LimitReading,
  { prompt, ...asking }: LimitAsking & { prompt: string },
): Ask {
  const id = `${run.state.request.iteration}/limit/${reading.limit}/${reading.allowed}`
  const open = run.state.asks.find((other) => other.id === id)
  if (open) return open
  const ask: Ask = { kind: 'extension', prompt, ...reading, ...asking, id }
  run.emit({ type: 'asked', ask })
  return ask
}

/** Limits the next turn to the remaining tool calls, and also the latest, which may be of a foreign log. */
export function boundCalls(run: RunContext, { toolCalls }: Limits): void {
  if (toolCalls === undefined) return
  for (const { used, allowed } of readLimits(run, { toolCalls })) {
    const left = Math.max(0, allowed - used)
    run.replan({ maxCalls: left })
    refuseBeyond(run, left)
  }
}

/**
 * Allows at most this many of the open calls to start, in the model's order. The others do not run, no user is asked to
 * approve them, and the model reads why.
 */
export function refuseBeyond(run: RunContext, most: number): void {
  let left = most
  for (const { key, name, calledAt, invalid, approvalId } of openCalls(run.state)) {
    const spec = run.agent.tools[name]
    const counts = spec && !spec.terminal && !invalid && approvalId === undefined && calledAt === undefined
    if (!counts || left-- > 0) continue
    run.emit({ type: 'observed', call: key, ms: 0, ...failedOutcome(tooMany(most)) })
  }
}

const tooMany = (most: number): AgentError =>
  new AgentError(
    'too_many',
    `This call was not run: ${most} more calls were allowed. Call it again if you still need it.`,
  )
