import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { scriptedModel } from '@interleave/testing'
import { writtenText } from './writtenText.ts'

/** Milliseconds from word to word. */
const pace = 8

/** A provider that takes its time. What it says is told by the prompt alone, so that it says the same when it is asked again. */
export function pacedModel(): LanguageModelV4 {
  return {
    ...scriptedModel(),
    async doStream(call) {
      const turn = call.prompt.filter(({ role }) => role === 'assistant').length
      const { stream } = await scriptedModel(writtenText(turn)).doStream(call)
      return { stream: stream.pipeThrough(new TransformStream({ transform: later })) }
    },
  }
}

async function later(
  part: LanguageModelV4StreamPart,
  controller: TransformStreamDefaultController<LanguageModelV4StreamPart>,
): Promise<void> {
  if (part.type === 'text-delta') await new Promise((resolve) => setTimeout(resolve, pace))
  controller.enqueue(part)
}
