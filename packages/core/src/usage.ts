import type { LanguageModelV4Usage } from '@ai-sdk/provider'

/** Token counts and their cost. The provider counts; a provider without counts counts as 0. */
export interface Usage {
  /** All input tokens, cached ones included. */
  readonly inputTokens: number
  /** Of these, read from the provider's cache. */
  readonly cachedInputTokens: number
  /** Of these, written to the provider's cache. */
  readonly cacheWriteTokens: number
  /** All output tokens, reasoning included. */
  readonly outputTokens: number
  /** Of these, spent on reasoning. */
  readonly reasoningTokens: number
  /** In the currency of the price table. Counts only the turns whose model has a price. */
  readonly cost: number
  /** Turns whose model has no price, so that a `cost` of 0 is not mistaken for free. */
  readonly unpricedTurns: number
}

export const noUsage: Usage = /* @__PURE__ */ Object.freeze({
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  cost: 0,
  unpricedTurns: 0,
})

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    cost: a.cost + b.cost,
    unpricedTurns: a.unpricedTurns + b.unpricedTurns,
  }
}

export interface ModelId {
  readonly provider: string
  readonly modelId: string
}

/** The tokens of a turn. */
export type Tokens = Omit<Usage, 'cost' | 'unpricedTurns'>

/** The prices of tokens. `prices()` makes it. */
export interface Prices {
  /** Returns the cost of a turn; undefined if its model has no price. */
  costOf(tokens: Tokens, model: ModelId): number | undefined
}

/** Returns the usage of one turn, with its cost. */
export function toUsage(raw: LanguageModelV4Usage | undefined, model: ModelId, prices: Prices | undefined): Usage {
  const { inputTokens: input, outputTokens: output } = raw ?? {}
  const cachedInputTokens = countOf(input?.cacheRead)
  const cacheWriteTokens = countOf(input?.cacheWrite)
  const reasoningTokens = countOf(output?.reasoning)
  // The reported total, or the sum of the reported parts: some servers omit cached or reasoning tokens from their
  // totals, or have no totals.
  const inputTokens = Math.max(countOf(input?.total), countOf(input?.noCache) + cachedInputTokens + cacheWriteTokens)
  const outputTokens = Math.max(countOf(output?.total), countOf(output?.text) + reasoningTokens)
  const tokens = { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens, reasoningTokens }
  const cost = prices?.costOf(tokens, model) ?? -1
  // An invalid price makes no cost, since no limit could be compared with it.
  const counts = cost >= 0 && cost <= most
  // Each member by name: an object that grows takes more memory.
  return {
    inputTokens,
    cachedInputTokens,
    cacheWriteTokens,
    outputTokens,
    reasoningTokens,
    cost: counts ? cost : 0,
    unpricedTurns: counts ? 0 : 1,
  }
}

/** A bound that no turn reaches; sums of that many stay exact. */
const most = 1e12

/** Returns 0 for an invalid count: a limit on tokens adds them up, and must only ever grow. */
const countOf = (count: unknown): number => (typeof count === 'number' && count >= 0 && count <= most ? count : 0)
