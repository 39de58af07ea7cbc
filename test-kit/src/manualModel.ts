import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { finishPart } from './providerParts.ts'

/** A model that says what a test lets it say, when it lets it. Each call begins a stream. */
export interface ManualModel extends LanguageModelV4 {
  readonly calls: readonly LanguageModelV4CallOptions[]
  /** Resolves when it was called so often. */
  called(times: number): Promise<void>
  say(...deltas: string[]): void
  /** Ends the latest stream, well or with an error. */
  end(error?: unknown): void
}

type Stream = ReadableStreamDefaultController<LanguageModelV4StreamPart>

export function manualModel(): ManualModel {
  const calls: LanguageModelV4CallOptions[] = []
  const waiting = new Map<number, () => void>()
  let stream: Stream | undefined
  return {
    specificationVersion: 'v4',
    provider: 'manual',
    modelId: 'manual',
    supportedUrls: {},
    calls,
    called: (times) => new Promise((resolve) => (calls.length >= times ? resolve() : waiting.set(times, resolve))),
    async doStream(options) {
      calls.push(options)
      queueMicrotask(() => waiting.get(calls.length)?.())
      return {
        stream: new ReadableStream({
          start(controller) {
            stream = controller
          },
        }),
      }
    },
    doGenerate: () => Promise.reject(new Error('A manual model only streams.')),
    say(...deltas) {
      for (const delta of deltas) stream?.enqueue({ type: 'text-delta', id: '0', delta })
    },
    end(error) {
      if (error !== undefined) return stream?.error(error)
      stream?.enqueue(finishPart())
      stream?.close()
    },
  }
}
