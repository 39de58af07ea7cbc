import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import type { Decision } from './evidence.ts'

/** Marks everything that the planner writes, so that it is not taken for a model's. */
export const label = 'Demo planner: rules, no AI. Token counts are estimated.'

/** A decision as the parts of a model's stream: reasons first, words one at a time. */
export function* partsOf(
  decision: Decision,
  { turn, prompt }: { turn: number; prompt: string },
): Generator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [{ type: 'other', message: label }] }
  const reasons = decision.thoughts.join(' ')
  if (reasons !== '') yield* block('reasoning', reasons)
  if (decision.type === 'fail') {
    yield { type: 'error', error: new Error(decision.message) }
  }
  if (decision.type === 'say') yield* block('text', decision.text)
  if (decision.type === 'call') {
    for (const [index, { tool, input }] of decision.calls.entries())
      yield* callParts(`plan-${turn}-${index}`, { tool, input })
  }
  const unified = decision.type === 'call' ? 'tool-calls' : decision.type === 'fail' ? 'error' : 'stop'
  yield {
    type: 'finish',
    finishReason: { unified, raw: unified },
    usage: estimate(prompt, { reasons, said: said(decision) }),
    providerMetadata: { demo: { usage: 'estimated' } },
  }
}

function* callParts(
  id: string,
  { tool, input }: { tool: string; input: unknown },
): Generator<LanguageModelV4StreamPart> {
  const json = JSON.stringify(input)
  yield { type: 'tool-input-start', id, toolName: tool }
  for (const delta of json.match(/[\s\S]{1,12}/g) ?? []) yield { type: 'tool-input-delta', id, delta }
  yield { type: 'tool-input-end', id }
  yield { type: 'tool-call', toolCallId: id, toolName: tool, input: json }
}

function* block(type: 'text' | 'reasoning', text: string): Generator<LanguageModelV4StreamPart> {
  const id = `${type}-0`
  yield { type: `${type}-start`, id }
  for (const delta of text.match(/(?<!\s)\s*\S+(?:\s+$)?/g) ?? []) yield { type: `${type}-delta`, id, delta }
  yield { type: `${type}-end`, id }
}

function said(decision: Decision): string {
  if (decision.type === 'say') return decision.text
  return decision.type === 'call' ? JSON.stringify(decision.calls) : ''
}

/** Four characters to a token, the usual rule of thumb. */
function estimate(prompt: string, { reasons, said: text }: { reasons: string; said: string }): LanguageModelV4Usage {
  const [input, reasoning, output] = [prompt, reasons, text].map((part) => Math.ceil(part.length / 4))
  return {
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: (reasoning ?? 0) + (output ?? 0), text: output, reasoning },
    raw: { estimated: true },
  }
}
