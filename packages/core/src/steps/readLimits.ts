import { demand } from '../demand.ts'
import type { BudgetName, Limits } from '../limit.ts'
import { latestTurn } from '../openCalls.ts'
import type { RunContext } from '../run.ts'
import type { RunState } from '../state.ts'

/** How much of a limit is used since the user's latest message. */
export interface LimitReading {
  readonly limit: BudgetName
  readonly used: number
  /** With what replies added to it. */
  readonly allowed: number
  /** About what one more turn will use: as much as the latest did. */
  readonly perTurn: number
  /** What the limit was to begin with. */
  readonly suggested: number
}

interface Budget {
  /** In words. */
  readonly unit: string
  used(state: RunState, now: number): number
  perTurn(state: RunState): number
}

const budgets: Readonly<Record<BudgetName, Budget>> = {
  iterations: {
    unit: 'iterations',
    used: (state) => state.iteration - state.request.iteration,
    perTurn: () => 1,
  },
  tokens: {
    unit: 'tokens',
    used: ({ usage, request }) =>
      usage.inputTokens + usage.outputTokens - request.usage.inputTokens - request.usage.outputTokens,
    perTurn: (state) => (turnOf(state)?.usage.inputTokens ?? 0) + (turnOf(state)?.usage.outputTokens ?? 0),
  },
  cost: {
    unit: 'of cost',
    used: ({ usage, request }) => usage.cost - request.usage.cost,
    perTurn: (state) => turnOf(state)?.usage.cost ?? 0,
  },
  toolCalls: {
    unit: 'tool calls',
    used: (state) => state.toolCalls - state.request.toolCalls,
    perTurn: () => 0,
  },
  ms: {
    unit: 'milliseconds',
    used: ({ request }, now) => now - request.startedAt - request.restedMs,
    perTurn: (state) => turnOf(state)?.ms ?? 0,
  },
}

/** The latest turn, if it was on this request. */
function turnOf(state: RunState): ReturnType<typeof latestTurn> {
  const turn = latestTurn(state)
  return turn && turn.iteration > state.request.iteration ? turn : undefined
}

export function readLimits({ state, host }: RunContext, limits: Limits): LimitReading[] {
  return (Object.keys(limits) as BudgetName[]).map((limit) => {
    const { [limit]: suggested = 0 } = limits
    const allowed = suggested + (state.extensions[limit] ?? 0)
    const { used, perTurn } = budgets[limit]
    return { limit, used: used(state, host.now()), allowed, perTurn: perTurn(state), suggested }
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
