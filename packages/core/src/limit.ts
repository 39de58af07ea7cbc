/** What a run may use up between two messages of its user. */
export type LimitName = 'iterations' | 'tokens' | 'cost' | 'toolCalls' | 'ms'

/** `cost` is in the currency of the price table, `ms` counts working time without the waits for people. */
export type Limits = { readonly [Name in LimitName]?: number }
