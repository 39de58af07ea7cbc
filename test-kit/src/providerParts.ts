import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'

type Finish = Extract<LanguageModelV4StreamPart, { type: 'finish' }>

/** Makes the part that ends a turn of so many tokens. */
export const finishPart = (
  unified: Finish['finishReason']['unified'] = 'stop',
  { input, output } = { input: 1, output: 1 },
): Finish => ({
  type: 'finish',
  finishReason: { unified, raw: unified },
  usage: {
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: output, text: output, reasoning: 0 },
  },
})

interface Turn {
  readonly text: string
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: object }[]
}

/** Makes the parts of a turn with a text and calls. */
export const turnParts = ({ text, calls }: Turn): readonly LanguageModelV4StreamPart[] => [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: text },
  { type: 'text-end', id: 't' },
  ...calls.map(({ id, name, input }) => ({
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: name,
    input: JSON.stringify(input),
  })),
  finishPart(calls.length > 0 ? 'tool-calls' : 'stop', { input: 10, output: 5 }),
]

/** Makes what is used of a stream: a real one takes longer than the rest of a run. `before` is awaited before each part. */
export function plainStream(
  parts: readonly LanguageModelV4StreamPart[],
  before?: (index: number) => PromiseLike<void> | undefined,
): ReadableStream<LanguageModelV4StreamPart> {
  let next = 0
  const reader = {
    async read() {
      if (before) await before(next)
      const value = parts[next++]
      return { value, done: value === undefined }
    },
    cancel: async () => {},
    releaseLock: () => {},
  }
  return { getReader: () => reader, cancel: async () => {} } as unknown as ReadableStream<LanguageModelV4StreamPart>
}

/** A turn in which a provider asks whether it may run a tool of its own. */
export const providerCall: readonly LanguageModelV4StreamPart[] = [
  { type: 'stream-start', warnings: [] },
  { type: 'tool-call', toolCallId: 'm1', toolName: 'mcp.delete', input: '{"id":7}', providerExecuted: true },
  { type: 'tool-approval-request', approvalId: 'a1', toolCallId: 'm1' },
  finishPart(),
]
