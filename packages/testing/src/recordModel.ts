import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { asPlain, checkModel } from '@interleave/core/internal'

export interface RecordedModel extends LanguageModelV4 {
  /** The stream of each finished call so far, as plain JSON. Save it, and pass it to `scriptedModel(...script)`. */
  readonly script: readonly (readonly LanguageModelV4StreamPart[])[]
}

/** Wraps a real model and records its streams, to be played by a scripted one. */
export function recordModel(model: LanguageModelV4): RecordedModel {
  checkModel(model, 'recordModel()')
  const script: LanguageModelV4StreamPart[][] = []
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    script,
    doGenerate: (call) => model.doGenerate(call),
    async doStream(call) {
      const result = await model.doStream(call)
      const parts: LanguageModelV4StreamPart[] = []
      script.push(parts)
      const recording = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
        transform(part, controller) {
          parts.push(toPlain(part))
          controller.enqueue(part)
        },
      })
      return { ...result, stream: result.stream.pipeThrough(recording) }
    },
  }
}

/** Converts a part to JSON: dates become strings, which the scripted model plays as they are. */
const toPlain = (part: LanguageModelV4StreamPart): LanguageModelV4StreamPart => {
  if (part.type !== 'response-metadata') return asPlain(part)
  const { timestamp: _, ...metadata } = part
  return metadata
}
