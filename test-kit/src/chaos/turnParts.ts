import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Order } from './shopScript.ts'

/** Yields one turn as a provider streams it. Another attempt at it has other text and other calls. */
export function* turnParts(
  orders: readonly Order[],
  { turn, take }: { readonly turn: number; readonly take: number },
): Generator<LanguageModelV4StreamPart, undefined> {
  yield { type: 'stream-start', warnings: [] }
  yield { type: 'text-start', id: '0' }
  yield { type: 'text-delta', id: '0', delta: orders.length > 0 ? `Turn ${turn},` : 'All is' }
  yield { type: 'text-delta', id: '0', delta: orders.length > 0 ? ` take ${take}.` : ' bought.' }
  yield { type: 'text-end', id: '0' }
  for (const [index, { name, item }] of orders.entries()) {
    // Ids repeat in later turns, as those of real providers do.
    yield { type: 'tool-call', toolCallId: `${index}`, toolName: name, input: JSON.stringify({ item, take }) }
  }
  const unified = orders.length > 0 ? 'tool-calls' : 'stop'
  yield { type: 'finish', finishReason: { unified, raw: unified }, usage }
}

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
}
