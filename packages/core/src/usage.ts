import type { LanguageModelV4Usage } from '@ai-sdk/provider'

/** Tokens, and what they cost. Token counts are the provider's own; a provider that tells none counts as 0. */
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

/** Per million tokens. What is not named costs as much as plain input or output. */
export interface Price {
  readonly input: number
  readonly output: number
  readonly cachedInput?: number
  readonly cacheWrite?: number
  readonly reasoning?: number
}

/** Prices by model id, or a function that looks them up. */
export type PriceTable = Readonly<Record<string, Price>> | ((modelId: string, provider: string) => Price | undefined)

export const noUsage: Usage = Object.freeze({
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  cost: 0,
  unpricedTurns: 0,
})

export function addUsage(a: Usage, b: Usage): Usage {
  const sum: { -readonly [Count in keyof Usage]: number } = { ...a }
  for (const count of Object.keys(noUsage) as (keyof Usage)[]) sum[count] += b[count]
  return sum
}

export interface ModelId {
  readonly provider: string
  readonly modelId: string
}

/** The usage of one turn, priced. */
export function toUsage(raw: LanguageModelV4Usage | undefined, model: ModelId, prices: PriceTable | undefined): Usage {
  const input = numbersOf(raw?.inputTokens)
  const output = numbersOf(raw?.outputTokens)
  const tokens = {
    inputTokens: input.total ?? (input.noCache ?? 0) + (input.cacheRead ?? 0) + (input.cacheWrite ?? 0),
    cachedInputTokens: input.cacheRead ?? 0,
    cacheWriteTokens: input.cacheWrite ?? 0,
    outputTokens: output.total ?? (output.text ?? 0) + (output.reasoning ?? 0),
    reasoningTokens: output.reasoning ?? 0,
  }
  const price = priceOf(model, prices)
  return { ...tokens, cost: price ? costOf(tokens, price) : 0, unpricedTurns: price ? 0 : 1 }
}

/** Without what is no number, whatever its server takes for one. */
const numbersOf = <Counts extends object>(counts: Counts | undefined): Partial<Counts> =>
  Object.fromEntries(Object.entries(Object(counts)).filter(([, count]) => Number.isFinite(count))) as Partial<Counts>

function priceOf({ modelId, provider }: ModelId, prices: PriceTable | undefined): Price | undefined {
  if (!prices) return undefined
  if (typeof prices === 'function') return prices(modelId, provider)
  return Object.hasOwn(prices, modelId) ? prices[modelId] : undefined
}

function costOf(tokens: Omit<Usage, 'cost' | 'unpricedTurns'>, price: Price): number {
  // Some servers leave cached or reasoning tokens out of their totals.
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
