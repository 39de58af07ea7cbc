import type { LanguageModelV4 } from '@ai-sdk/provider'

/** A model that is whichever was chosen last. */
export interface SwitchableModel {
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
