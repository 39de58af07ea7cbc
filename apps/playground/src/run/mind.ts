import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Price } from '@interleave/core'
import { type Connection, createModel, lockedModel, switchableModel } from '../models/index.ts'
import { own } from '../parts/own.ts'

/** What a run thinks with. */
export interface Thinking {
  readonly connection: Connection
  /** Its key is not there. */
  readonly lacksKey?: boolean
  /** What tokens cost, by model id. */
  readonly prices: Readonly<Record<string, Price>>
}

/** What thinks in a run. It may be changed while the run rests. */
export interface Mind {
  readonly model: LanguageModelV4
  priceOf(modelId: string): Price | undefined
  /** Thinks with this from the next turn on. */
  change(thinking: Thinking): Promise<void>
}

export async function createMind(first: Thinking): Promise<Mind> {
  let { prices } = first
  const { model, use } = switchableModel(await modelOf(first))
  return {
    model,
    priceOf: (modelId) => own(prices, modelId),
    async change(thinking) {
      use(await modelOf(thinking))
      prices = thinking.prices
    },
  }
}

const modelOf = async ({ connection, lacksKey }: Thinking): Promise<LanguageModelV4> =>
  lacksKey ? lockedModel(connection) : createModel(connection)
