import type { LanguageModelV4StreamPart, LanguageModelV4Usage, SharedV4Warning } from '@ai-sdk/provider'
import { AgentError } from '@interleave/core'
import { orStopped } from '@interleave/core/internal'
import { AnswerReader, mostCharacters } from './AnswerReader.ts'
import type { AnswerFormat } from './answerFormat.ts'

export interface AnswerOptions {
  readonly format: AnswerFormat
  /** The number of the first call, counted through the conversation. */
  readonly firstCall: number
  readonly warnings: SharedV4Warning[]
  readonly usage: () => LanguageModelV4Usage
  /** Ends the reading, even if the browser ignores it. */
  readonly signal: AbortSignal
}

/** Converts the answer of a session to the parts of a turn. */
export async function* answerParts(
  chunks: ReadableStream<unknown>,
  { format, firstCall, warnings, usage, signal }: AnswerOptions,
): AsyncGenerator<LanguageModelV4StreamPart, void, undefined> {
  yield { type: 'stream-start', warnings }
  const answer = format.isObject ? new AnswerReader() : undefined
  const text = new TextParts()
  const reader = chunks.getReader()
  let length = 0
  try {
    for (;;) {
      const { done, value } = await orStopped(reader.read(), signal)
      if (done) break
      const chunk = textIn(value)
      length += chunk.length
      if (length > mostCharacters)
        throw new AgentError('model_too_large', `The built-in model wrote more than ${mostCharacters} characters.`)
      yield* text.add(answer ? answer.push(chunk) : chunk)
    }
  } catch (error) {
    reader.cancel(error).catch(() => {})
    throw error
  }
  const { text: rest, calls } = answer?.end() ?? { text: '', calls: [] }
  yield* text.add(rest)
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

function textIn(chunk: unknown): string {
  if (typeof chunk === 'string') return chunk
  throw new AgentError('model_malformed', 'The built-in model sent something that is not text. Use another model.')
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
