import { demand } from '../demand.ts'
import type { BudgetName, Limits } from '../limit.ts'
import type { RunContext } from '../run.ts'
import type { RunState } from '../state.ts'

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
  /** In words. */
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
    demand(names.includes(name), `There is no limit "${name}". The limits are: ${names.join(', ')}.`)
    demand(
      typeof value === 'number' && value > 0,
      `The limit ${name} is ${value}. Give a number above 0, or leave it out.`,
    )
  }
}
