import type { Ask } from './question.ts'

/** What a run may use up between two messages of its user. */
export type LimitName = BudgetName | 'visits'

/** What `limit` counts. Visits are a graph's. */
export type BudgetName = 'iterations' | 'tokens' | 'cost' | 'toolCalls' | 'ms'

/** `cost` is in the currency of the price table, `ms` counts working time without the waits for people. */
export type Limits = { readonly [Name in BudgetName]?: number }

/** Whether a question is about a limit of this run, and not of one that works for it. */
export const isOwnLimit = (ask: Ask): ask is Extract<Ask, { readonly kind: 'extension' }> =>
  ask.kind === 'extension' && !ask.from
