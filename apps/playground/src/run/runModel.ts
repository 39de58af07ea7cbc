import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Price } from '@interleave/core'
import { type Connection, createModel, lockedModel } from '../models/index.ts'
import { own } from '../parts/objects.ts'

/** The connection to a run's model, and the prices. */
export interface ModelChoice {
  readonly connection: Connection
  /** Its key is not there. */
  readonly lacksKey?: boolean
  /** The prices of tokens, by model id. */
  readonly prices: Readonly<Record<string, Price>>
}

/** The model of a run. It may be changed at any time. */
export interface RunModel {
  readonly model: LanguageModelV4
  priceOf(modelId: string): Price | undefined
  /** Thinks with this from the next turn on. `isUnderWay`: a turn may be streaming. */
  change(choice: ModelChoice, options?: { readonly isUnderWay?: boolean }): Promise<void>
}

export async function createRunModel(first: ModelChoice): Promise<RunModel> {
  let { prices } = first
  const { model, use } = switchableModel(await modelOf(first))
  return {
    model,
    priceOf: (modelId) => own(prices, modelId),
    async change(choice, options) {
      use(await modelOf(choice), options)
      prices = choice.prices
    },
  }
}

const modelOf = async ({ connection, lacksKey }: ModelChoice): Promise<LanguageModelV4> =>
  lacksKey ? lockedModel(connection) : createModel(connection)

/** A model that forwards to the one that was chosen last. */
interface SwitchableModel {
  readonly model: LanguageModelV4
  /** Asks this model from the next call on. A turn that is under way keeps the name of the model that writes it. */
  use(model: LanguageModelV4, options?: { readonly isUnderWay?: boolean }): void
}

/** Lets a run change its model between two turns without being opened again. */
export function switchableModel(first: LanguageModelV4): SwitchableModel {
  let chosen = first
  let next = first
  const current = (): LanguageModelV4 => {
    chosen = next
    return chosen
  }
  return {
    model: {
      specificationVersion: 'v4',
      get provider() {
        return chosen.provider
      },
      get modelId() {
        return chosen.modelId
      },
      get supportedUrls() {
        return chosen.supportedUrls
      },
      doGenerate: (options) => current().doGenerate(options),
      doStream: (options) => current().doStream(options),
    },
    use(model, { isUnderWay = false } = {}) {
      next = model
      if (!isUnderWay) chosen = model
    },
  }
}
