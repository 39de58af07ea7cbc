import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Life } from './life.ts'
import { inputOf, type ToolName } from './scheduleTools.ts'

/** A model that makes these calls, one list a turn, and answers then. It finds its turn in what it is given. */
export function heldModel(
  life: Life,
  turns: readonly (readonly ToolName[])[],
  onRequest: (turn: number) => void = () => {},
): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'schedules',
    modelId: 'held',
    supportedUrls: {},
    async doStream({ prompt, abortSignal }: LanguageModelV4CallOptions) {
      const turn = prompt.filter(({ role }) => role === 'assistant').length
      life.witness.works(`A model is asked for turn ${turn}`)
      if (!abortSignal?.aborted) onRequest(turn)
      await life.hold('model', `model ${turn}`)
      return { stream: toStream(partsOf(turns[turn] ?? [], turn), life) }
    },
    doGenerate: () => Promise.reject(new Error('It only streams.')),
  }
}

function partsOf(names: readonly ToolName[], turn: number): readonly LanguageModelV4StreamPart[] {
  const unified = names.length > 0 ? 'tool-calls' : 'stop'
  return [
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'Done.' },
    { type: 'text-end', id: 't' },
    ...names.map((toolName, index) => ({
      type: 'tool-call' as const,
      toolCallId: `${turn}-${index}`,
      toolName,
      input: JSON.stringify(inputOf(toolName)),
    })),
    {
      type: 'finish',
      finishReason: { unified, raw: unified },
      usage: {
        inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 5, text: 5, reasoning: 0 },
      },
    },
  ]
}

/** Creates the part of a stream that is read, each stream part behind its own gate. */
function toStream(parts: readonly LanguageModelV4StreamPart[], life: Life): ReadableStream<LanguageModelV4StreamPart> {
  let next = 0
  const reader = {
    async read() {
      await life.hold('stream', `part ${next}`)
      const value = parts[next++]
      return { value, done: value === undefined }
    },
    cancel: async () => {},
    releaseLock: () => {},
  }
  return { getReader: () => reader, cancel: async () => {} } as unknown as ReadableStream<LanguageModelV4StreamPart>
}
