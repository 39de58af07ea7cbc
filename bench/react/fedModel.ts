import type { LanguageModelV4, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'

/** A model that writes what it is fed. */
export interface FedModel {
  readonly model: LanguageModelV4
  /** Resolves when it has been called. */
  readonly asked: Promise<unknown>
  feed(delta: string): void
  finish(): void
}

export function fedModel(): FedModel {
  let controller: ReadableStreamDefaultController<LanguageModelV4StreamPart> | undefined
  let onAsked = (): void => {}
  const asked = new Promise<void>((resolve) => {
    onAsked = resolve
  })
  const model: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider: 'fed',
    modelId: 'fed',
    supportedUrls: {},
    async doStream() {
      const stream = new ReadableStream<LanguageModelV4StreamPart>({
        start(its) {
          controller = its
          its.enqueue({ type: 'stream-start', warnings: [] })
          its.enqueue({ type: 'text-start', id: 'text' })
        },
      })
      onAsked()
      return { stream }
    },
    doGenerate: () => Promise.reject(new Error('Only streams are measured.')),
  }
  return {
    model,
    asked,
    feed: (delta) => controller?.enqueue({ type: 'text-delta', id: 'text', delta }),
    finish() {
      controller?.enqueue({ type: 'text-end', id: 'text' })
      controller?.enqueue({ type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage })
      controller?.close()
    },
  }
}

const usage: LanguageModelV4Usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}
