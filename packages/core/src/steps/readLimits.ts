import { assertOption, checkType } from '../options.ts'
import type { RunContext, Step } from '../run.ts'
import type { BudgetName, Limits } from '../signal.ts'
import { awaitsThought, type RunState } from '../state.ts'
import { isReached, type LimitReading, refuseBeyond, restAt, short } from './atLimit.ts'

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
    // The clock may have been set back since the latest event.
    used: ({ request, updatedAt }, now) => Math.max(now, updatedAt) - request.startedAt - request.restedMs,
  },
}

export function readLimits({ state, host }: RunContext, limits: Limits): LimitReading[] {
  return (Object.keys(limits) as BudgetName[]).map((limit) => {
    const { [limit]: suggested = 0 } = limits
    const allowed = suggested + (state.extensions[limit] ?? 0)
    return { limit, used: budgets[limit].used(state, host.now()), allowed, suggested }
  })
}

/** Formats an amount, such as `20 iterations`. */
export const inWords = (amount: number, limit: BudgetName): string => `${short(amount)} ${budgets[limit].unit}`

export function checkLimits(limits: Limits): void {
  checkType(limits ?? null, 'limits', 'an object, such as { iterations: 20 }')
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
    return reached && restAt(run, reached, inWords(reached.allowed, reached.limit))
  }
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
