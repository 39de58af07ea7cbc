import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { stepReader } from './stepReader.ts'
import type { TextCall } from './textCall.ts'

type StreamPart = LanguageModelV4StreamPart

export interface StepStreamOptions {
  readonly call: TextCall
  readonly model: LanguageModelV4
}

/**
 * A stream of text as the stream of a model that calls tools. One reader and no stage between; the text's stream is given up
 * as soon as the step is whole.
 */
export function stepStream(
  text: ReadableStream<StreamPart>,
  { call, model }: StepStreamOptions,
): ReadableStream<StreamPart> {
  let reader = text.getReader()
  let step = stepReader(call)

  return new ReadableStream<StreamPart>({
    async pull(stream) {
      for (;;) {
        const { done, value } = await reader.read()
        const parts = done ? [] : step.take(value)
        const isOver = done || step.complete
        for (const part of isOver ? [...parts, ...step.end()] : parts) stream.enqueue(part)
        if (!done && isOver) void reader.cancel().catch(ignore)
        if (isOver && !step.next) return stream.close()
        if (isOver && step.next) {
          const { stream: more } = await model.doStream(step.next.options)
          step = stepReader(step.next)
          reader = more.getReader()
        } else if (parts.length > 0) return
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

const ignore = (): void => {}
