import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { AgentError, localHost } from '@interleave/core'
import { breather, defaultCaps, malformed } from '@interleave/core/internal'
import { StepReader } from './stepReader.ts'
import type { TextCall } from './textCall.ts'

type StreamPart = LanguageModelV4StreamPart

export interface StepStreamOptions {
  readonly call: TextCall
  readonly model: LanguageModelV4
}

/** Converts a stream of text to the stream of a model that calls tools. Cancels it as soon as the step is complete. */
export function stepStream(
  text: ReadableStream<StreamPart>,
  { call, model }: StepStreamOptions,
): ReadableStream<StreamPart> {
  let reader = text.getReader()
  let step = new StepReader(call)
  let characters = 0
  const breathe = breather(localHost, 16)
  /** Passes parts on. What is held back until its kind is clear could not be limited by a reader of the parts. */
  const take = (part: StreamPart): readonly StreamPart[] => {
    if (part.type === 'text-delta') {
      if (typeof part.delta !== 'string') throw malformed('a "text-delta" with a wrong or missing "delta"')
      characters += part.delta.length
    }
    if (characters > mostCharacters) throw tooLarge()
    return step.take(part)
  }

  let isCancelled = false
  /** The model would continue to write, and its connection would stay open. */
  const leave = (reason?: unknown): void => void reader.cancel(reason).catch(() => {})

  const passParts = async (stream: ReadableStreamDefaultController<StreamPart>): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read()
      if (isCancelled) return
      const parts = done ? [] : take(value)
      const isOver = done || step.complete
      for (const part of isOver ? [...parts, ...step.end()] : parts) stream.enqueue(part)
      if (!done && isOver) leave()
      if (isOver && !step.next) return stream.close()
      if (isOver && step.next) {
        const { stream: more } = await model.doStream(step.next.options)
        step = new StepReader(step.next)
        reader = more.getReader()
        if (isCancelled) return leave()
      } else if (parts.length > 0) return
      const pause = breathe()
      if (pause) await pause
    }
  }

  return new ReadableStream<StreamPart>({
    async pull(stream) {
      try {
        await passParts(stream)
      } catch (error) {
        leave(error)
        throw error
      }
    },
    cancel(reason) {
      isCancelled = true
      return reader.cancel(reason)
    },
  })
}

/**
 * The maximum characters of the text of one turn. Four times the limit of a turn, since tool input counts a quarter
 * there.
 */
const mostCharacters = 4 * defaultCaps.maxCharacters
const tooLarge = (): AgentError =>
  new AgentError('model_too_large', `The model wrote more than ${mostCharacters} characters in one turn.`)
