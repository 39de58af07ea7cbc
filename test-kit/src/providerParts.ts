import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'

type Finish = Extract<LanguageModelV4StreamPart, { type: 'finish' }>

/** Makes the part that ends a turn of one token. */
export const finishPart = (unified: Finish['finishReason']['unified'] = 'stop'): Finish => ({
  type: 'finish',
  finishReason: { unified, raw: unified },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  },
})

/** A turn in which a provider asks whether it may run a tool of its own. */
export const providerCall: readonly LanguageModelV4StreamPart[] = [
  { type: 'stream-start', warnings: [] },
  { type: 'tool-call', toolCallId: 'm1', toolName: 'mcp.delete', input: '{"id":7}', providerExecuted: true },
  { type: 'tool-approval-request', approvalId: 'a1', toolCallId: 'm1' },
  finishPart(),
]
