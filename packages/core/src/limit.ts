import type { Ask } from './question.ts'

/** A resource that a run may use between two user messages. */
export type LimitName = BudgetName | 'visits'

/** The resources that `limit` counts. Graphs count visits. */
export type BudgetName = 'iterations' | 'tokens' | 'cost' | 'toolCalls' | 'ms'

/** `cost` is in the price table's currency. `ms` counts working time, without the time spent waiting for users. */
export type Limits = { readonly [Name in BudgetName]?: number }

/** Returns true for a question about a limit of this run, and not of its children. */
export const isOwnLimit = (ask: Ask): ask is Extract<Ask, { readonly kind: 'extension' }> =>
  ask.kind === 'extension' && !ask.from
