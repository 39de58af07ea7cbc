import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Ledger } from './createLedger.ts'

/** The model: its place in the conversation tells it which turn is next. It speaks in pieces, so that it can be cut off. */
export async function speak(
  response: ServerResponse,
  { script }: Pick<Ledger, 'script'>,
  { prompt, delayMs }: { readonly prompt: LanguageModelV4Prompt; delayMs(): number },
): Promise<void> {
  const turn = prompt.filter(({ role }) => role === 'assistant').length
  response.setHeader('content-type', 'application/x-ndjson')
  for (const part of partsOf(script[turn] ?? [], turn)) {
    if (part.type !== 'stream-start') await pause(delayMs())
    response.write(`${JSON.stringify(part)}\n`)
  }
  response.end()
}

function* partsOf(orders: Ledger['script'][number], turn: number): Generator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] }
  yield { type: 'text-start', id: '0' }
  yield { type: 'text-delta', id: '0', delta: orders.length > 0 ? `Turn ${turn}.` : 'All is bought.' }
  yield { type: 'text-end', id: '0' }
  for (const { name, item } of orders) {
    yield { type: 'tool-call', toolCallId: `${item}`, toolName: name, input: JSON.stringify({ item }) }
  }
  const unified = orders.length > 0 ? 'tool-calls' : 'stop'
  yield { type: 'finish', finishReason: { unified, raw: unified }, usage }
}

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
}
