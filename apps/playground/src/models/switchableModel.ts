import type { LanguageModelV4 } from '@ai-sdk/provider'

/** A model that is whichever was chosen last. */
export interface SwitchableModel {
  readonly model: LanguageModelV4
  use(model: LanguageModelV4): void
}

/** Lets a run change its model between two turns, so that it need not be opened anew. */
export function switchableModel(first: LanguageModelV4): SwitchableModel {
  let chosen = first
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
      doGenerate: (options) => chosen.doGenerate(options),
      doStream: (options) => chosen.doStream(options),
    },
    use(model) {
      chosen = model
    },
  }
}
