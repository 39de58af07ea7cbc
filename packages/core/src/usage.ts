import type { LanguageModelV4Usage } from '@ai-sdk/provider'
import { reportLater } from './error.ts'

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

/** Prices per million tokens. An unnamed price is that of plain input or output. */
export interface Price {
  readonly input: number
  readonly output: number
  readonly cachedInput?: number
  readonly cacheWrite?: number
  readonly reasoning?: number
}

/** Prices by model id, or a function that looks them up. */
export type PriceTable = Readonly<Record<string, Price>> | ((modelId: string, provider: string) => Price | undefined)

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

/** Returns the usage of one turn, with its cost. */
export function toUsage(raw: LanguageModelV4Usage | undefined, model: ModelId, prices: PriceTable | undefined): Usage {
  const { inputTokens: input, outputTokens: output } = raw ?? {}
  const cachedInputTokens = countOf(input?.cacheRead)
  const cacheWriteTokens = countOf(input?.cacheWrite)
  const reasoningTokens = countOf(output?.reasoning)
  // The reported total, or the sum of the reported parts: some servers omit cached or reasoning tokens from their
  // totals, or have no totals.
  const inputTokens = Math.max(countOf(input?.total), countOf(input?.noCache) + cachedInputTokens + cacheWriteTokens)
  const outputTokens = Math.max(countOf(output?.total), countOf(output?.text) + reasoningTokens)
  const tokens = { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens, reasoningTokens }
  const cost = costBy(prices, model, tokens)
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

/** Returns NaN without a price. A price that cannot be read is reported: the turn has happened, and must not be lost. */
function costBy(prices: PriceTable | undefined, model: ModelId, tokens: Tokens): number {
  try {
    const price = priceOf(model, prices)
    return price ? costOf(tokens, price) : Number.NaN
  } catch (error) {
    reportLater(error)
    return Number.NaN
  }
}

type Tokens = Omit<Usage, 'cost' | 'unpricedTurns'>

function priceOf({ modelId, provider }: ModelId, prices: PriceTable | undefined): Price | undefined {
  if (!prices) return undefined
  if (typeof prices === 'function') return prices(modelId, provider)
  return Object.hasOwn(prices, modelId) ? prices[modelId] : undefined
}

function costOf(tokens: Tokens, price: Price): number {
  const plainInput = Math.max(0, tokens.inputTokens - tokens.cachedInputTokens - tokens.cacheWriteTokens)
  const plainOutput = Math.max(0, tokens.outputTokens - tokens.reasoningTokens)
  const total =
    plainInput * price.input +
    tokens.cachedInputTokens * (price.cachedInput ?? price.input) +
    tokens.cacheWriteTokens * (price.cacheWrite ?? price.input) +
    plainOutput * price.output +
    tokens.reasoningTokens * (price.reasoning ?? price.output)
  return total / 1_000_000
}
