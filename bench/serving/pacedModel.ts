import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { sleep } from '../pace.ts'
import { clock } from './clock.ts'

/** A model that thinks for a moment, as models do, and then says what time it is, every few milliseconds. */
export const pacedModel = (deltas: number, everyMs: number): LanguageModelV4 => ({
  specificationVersion: 'v4',
  provider: 'paced',
  modelId: 'paced',
  supportedUrls: {},
  doStream: async () => ({ stream: times(deltas, everyMs) }),
  doGenerate: () => Promise.reject(new Error('Only streams are measured.')),
})

function times(deltas: number, everyMs: number): ReadableStream<LanguageModelV4StreamPart> {
  let count = 0
  return new ReadableStream({
    async start(stream) {
      await sleep(200)
      stream.enqueue({ type: 'text-start', id: '0' })
    },
    async pull(stream) {
      await sleep(everyMs)
      if (count++ < deltas) return stream.enqueue({ type: 'text-delta', id: '0', delta: `${clock()} ` })
      stream.enqueue({ type: 'text-end', id: '0' })
      stream.enqueue({ type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage })
      stream.close()
    },
  })
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}
