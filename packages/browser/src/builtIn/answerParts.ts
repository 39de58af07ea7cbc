import type { LanguageModelV4StreamPart, LanguageModelV4Usage, SharedV4Warning } from '@ai-sdk/provider'
import { AgentError } from '@interleave/core'
import { AnswerReader } from './AnswerReader.ts'
import type { AnswerFormat } from './answerFormat.ts'

export interface AnswerOptions {
  readonly format: AnswerFormat
  /** The number of the first call, counted through the conversation. */
  readonly firstCall: number
  readonly warnings: SharedV4Warning[]
  readonly usage: () => LanguageModelV4Usage
}

/** The answer of a session as the parts of a turn. */
export async function* answerParts(
  chunks: ReadableStream<string>,
  { format, firstCall, warnings, usage }: AnswerOptions,
): AsyncGenerator<LanguageModelV4StreamPart, void, undefined> {
  yield { type: 'stream-start', warnings }
  const answer = format.isObject ? new AnswerReader() : new TextReader()
  const text = new TextParts()
  const reader = chunks.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read())
      yield* text.add(answer.push(String(next.value)))
  } finally {
    reader.releaseLock()
  }
  const { text: last, calls } = answer.end()
  yield* text.add(last)
  yield* text.end()
  for (const [index, { tool, input }] of calls.entries())
    yield {
      type: 'tool-call',
      toolCallId: `call-${firstCall + index}`,
      toolName: tool,
      input: JSON.stringify(input),
    }
  const unified = calls.length > 0 ? 'tool-calls' : 'stop'
  yield { type: 'finish', usage: usage(), finishReason: { unified, raw: undefined } }
}

const id = '0'

/** The text of a turn, which begins with its first character. */
class TextParts {
  #hasBegun = false

  add(delta: string): readonly LanguageModelV4StreamPart[] {
    if (delta === '') return []
    const begin: readonly LanguageModelV4StreamPart[] = this.#hasBegun ? [] : [{ type: 'text-start', id }]
    this.#hasBegun = true
    return [...begin, { type: 'text-delta', id, delta }]
  }

  end(): readonly LanguageModelV4StreamPart[] {
    return this.#hasBegun ? [{ type: 'text-end', id }] : []
  }
}

/** Text alone, up to a bound. */
class TextReader {
  #length = 0

  push(chunk: string): string {
    this.#length += chunk.length
    if (this.#length <= mostText) return chunk
    throw new AgentError('model_too_large', `The built-in model wrote more than ${mostText} characters.`)
  }

  end(): ReturnType<AnswerReader['end']> {
    return { text: '', calls: [] }
  }
}

const mostText = 200_000
