import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { shopModel } from './shopper.ts'

declare global {
  /** Has the model write on, or end; called from outside of the page. */
  var story: { write(delta: string): void; end(): void }
}

/** A model that writes what the test has it write. */
export const storyModel: LanguageModelV4 = {
  ...shopModel,
  async doStream({ abortSignal }) {
    const stream = new ReadableStream<LanguageModelV4StreamPart>({
      start(out) {
        out.enqueue({ type: 'stream-start', warnings: [] })
        out.enqueue({ type: 'text-start', id: '0' })
        abortSignal?.addEventListener('abort', () => out.error(abortSignal.reason))
        globalThis.story = {
          write: (delta) => out.enqueue({ type: 'text-delta', id: '0', delta }),
          end() {
            out.enqueue({ type: 'text-end', id: '0' })
            out.enqueue({ type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage })
            out.close()
          },
        }
      },
    })
    return { stream }
  },
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}
