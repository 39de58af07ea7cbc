import type { Event, Usage } from '@interleave/core'
import { addUsage, noUsage } from '@interleave/core/internal'
import type { TokenUsage } from '../protocol.ts'

/** Adds up the usage of a stretch of work, by model. */
export class Usages {
  readonly #byModel = new Map<string, { readonly provider?: string; readonly model?: string; usage: Usage }>()

  addEvent(event: Event): void {
    if (!('usage' in event) || !event.usage) return
    const { provider, modelId: model } = event.type === 'thought' ? event.model : {}
    const key = `${provider}/${model}`
    const { usage = noUsage } = this.#byModel.get(key) ?? {}
    this.#byModel.set(key, {
      ...(provider && { provider }),
      ...(model && { model }),
      usage: addUsage(usage, event.usage),
    })
  }

  /** Returns the usage for the last event of a run; empty if no model was called. */
  get event(): { usage?: TokenUsage[] } {
    if (this.#byModel.size === 0) return {}
    const usage = [...this.#byModel.values()].map(({ usage, ...model }) => {
      const { inputTokens, outputTokens, reasoningTokens } = usage
      return {
        ...model,
        ...{ inputTokens, outputTokens, totalTokens: inputTokens + outputTokens, reasoningTokens },
        ...{ cachedInputTokens: usage.cachedInputTokens, cacheWriteInputTokens: usage.cacheWriteTokens },
      }
    })
    return { usage }
  }
}
