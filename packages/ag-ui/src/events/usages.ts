import type { Event, Usage } from '@interleave/core'
import type { TokenUsage } from '../protocol.ts'

/** Adds up the usage of a stretch of work, by model. */
export class Usages {
  readonly #byModel = new Map<string, TokenUsage>()

  addEvent(event: Event): void {
    if (!('usage' in event) || !event.usage) return
    const { provider, modelId: model } = event.type === 'thought' ? event.model : {}
    const key = `${provider}/${model}`
    const before = this.#byModel.get(key) ?? { ...none, ...(provider && { provider }), ...(model && { model }) }
    this.#byModel.set(key, add(before, event.usage))
  }

  /** Returns what was used, for the last event of a run; nothing if no model was called. */
  get event(): { usage?: TokenUsage[] } {
    return this.#byModel.size > 0 ? { usage: [...this.#byModel.values()] } : {}
  }
}

const none: TokenUsage = {
  inputTokens: 0,
  outputTokens: 0,
  totalTokens: 0,
  reasoningTokens: 0,
  cachedInputTokens: 0,
  cacheWriteInputTokens: 0,
}

const add = (before: TokenUsage, usage: Usage): TokenUsage => ({
  ...before,
  inputTokens: before.inputTokens + usage.inputTokens,
  outputTokens: before.outputTokens + usage.outputTokens,
  totalTokens: before.totalTokens + usage.inputTokens + usage.outputTokens,
  reasoningTokens: before.reasoningTokens + usage.reasoningTokens,
  cachedInputTokens: before.cachedInputTokens + usage.cachedInputTokens,
  cacheWriteInputTokens: before.cacheWriteInputTokens + usage.cacheWriteTokens,
})
