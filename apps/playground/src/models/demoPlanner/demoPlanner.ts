import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import { readConversation } from './conversation.ts'
import { planTurn } from './planTurn.ts'
import { label, partsOf } from './stream.ts'
import { toolboxOf } from './toolbox.ts'

export interface DemoPlannerOptions {
  /** Milliseconds between two words; 12 by default. */
  delayMs?: number
  /** Returns the current time, from which "tomorrow" is counted. */
  now?: () => Date
  wait?: (ms: number) => Promise<void>
}

/** Plans by rules from the tools of a call, their words and schemas. The same conversation gives the same turn. */
export function demoPlanner({
  delayMs = 12,
  now = () => new Date(),
  wait = pause,
}: DemoPlannerOptions = {}): LanguageModelV4 {
  const parts = (call: LanguageModelV4CallOptions): Generator<LanguageModelV4StreamPart> => {
    const exchanges = readConversation(call.prompt)
    const decision = planTurn({ exchanges, toolbox: toolboxOf(call), now: now() })
    const prompt = JSON.stringify([call.prompt, call.tools ?? []])
    return partsOf(decision, { turn: call.prompt.length, prompt })
  }
  return {
    specificationVersion: 'v4',
    provider: 'demo',
    modelId: 'rule-based',
    supportedUrls: {},
    doStream: async (call) => {
      call.abortSignal?.throwIfAborted()
      return { stream: toStream(parts(call), { delayMs, wait, signal: call.abortSignal }) }
    },
    doGenerate: async (call): Promise<LanguageModelV4GenerateResult> => gather(parts(call)),
  }
}

interface Pace {
  readonly delayMs: number
  readonly wait: (ms: number) => Promise<void>
  readonly signal: AbortSignal | undefined
}

function toStream(
  parts: Iterator<LanguageModelV4StreamPart>,
  { delayMs, wait, signal }: Pace,
): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    async pull(stream) {
      if (signal?.aborted) return stream.error(signal.reason)
      const { done, value } = parts.next()
      if (done) return stream.close()
      if (delayMs > 0 && value.type.endsWith('-delta')) await wait(delayMs)
      if (signal?.aborted) stream.error(signal.reason)
      else stream.enqueue(value)
    },
  })
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

function gather(parts: Iterable<LanguageModelV4StreamPart>): LanguageModelV4GenerateResult {
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
