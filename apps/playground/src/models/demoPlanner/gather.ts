import type { LanguageModelV4Content, LanguageModelV4GenerateResult, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { label } from './stream.ts'

/** The parts of a stream as one result. */
export function gather(parts: Iterable<LanguageModelV4StreamPart>): LanguageModelV4GenerateResult {
  const content: LanguageModelV4Content[] = []
  const texts = { text: '', reasoning: '' }
  for (const part of parts) {
    if (part.type === 'error') throw part.error
    if (part.type === 'text-delta') texts.text += part.delta
    if (part.type === 'reasoning-delta') texts.reasoning += part.delta
    if (part.type === 'text-end') content.push({ type: 'text', text: texts.text })
    if (part.type === 'reasoning-end') content.push({ type: 'reasoning', text: texts.reasoning })
    if (part.type === 'tool-call') content.push(part)
    if (part.type === 'finish') {
      const { finishReason, usage, providerMetadata } = part
      return {
        content,
        finishReason,
        usage,
        warnings: [{ type: 'other', message: label }],
        ...(providerMetadata && { providerMetadata }),
      }
    }
  }
  throw new Error('The stream ended without its last part.')
}
