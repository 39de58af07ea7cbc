import { checkArgument } from '#checks'
import { reportLater } from '../../error.ts'
import type { ModelId, Prices, Tokens } from '../../usage.ts'

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

/**
 * The prices of an agent's tokens, which `usage.cost` and the limit `cost` count with. A function that throws is reported,
 * and the turn has no price: it has happened, and must not be lost.
 *
 * @example
 * agent({ name: 'guide', model, prices: prices({ 'gpt-5-mini': { input: 0.25, output: 2, cachedInput: 0.025 } }) })
 */
export function prices(table: PriceTable): Prices {
  checkArgument(table, 'table of prices()', 'an object or a function')
  return Object.freeze({
    costOf(tokens: Tokens, model: ModelId): number | undefined {
      try {
        const price = priceOf(model, table)
        return price && costOf(tokens, price)
      } catch (error) {
        reportLater(error)
        return undefined
      }
    },
  })
}

function priceOf({ modelId, provider }: ModelId, table: PriceTable): Price | undefined {
  if (typeof table === 'function') return table(modelId, provider)
  return Object.hasOwn(table, modelId) ? table[modelId] : undefined
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
