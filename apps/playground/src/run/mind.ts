import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Price } from '@interleave/core'
import { type Connection, createModel, lockedModel, switchableModel } from '../models/index.ts'
import { own } from '../parts/objects.ts'

/** The connection to a run's model, and the prices. */
export interface Thinking {
  readonly connection: Connection
  /** Its key is not there. */
  readonly lacksKey?: boolean
  /** The prices of tokens, by model id. */
  readonly prices: Readonly<Record<string, Price>>
}

/** The model of a run. It may be changed at any time. */
export interface Mind {
  readonly model: LanguageModelV4
  priceOf(modelId: string): Price | undefined
  /** Thinks with this from the next turn on. `isUnderWay`: a turn may be streaming. */
  change(thinking: Thinking, options?: { readonly isUnderWay?: boolean }): Promise<void>
}

export async function createMind(first: Thinking): Promise<Mind> {
  let { prices } = first
  const { model, use } = switchableModel(await modelOf(first))
  return {
    model,
    priceOf: (modelId) => own(prices, modelId),
    async change(thinking, options) {
      use(await modelOf(thinking), options)
      prices = thinking.prices
    },
  }
}

const modelOf = async ({ connection, lacksKey }: Thinking): Promise<LanguageModelV4> =>
  lacksKey ? lockedModel(connection) : createModel(connection)
