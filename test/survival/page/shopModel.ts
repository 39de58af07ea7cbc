import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'

/** A model behind a network, as any is. */
export const shopModel: LanguageModelV4 = {
  specificationVersion: 'v4',
  provider: 'shop',
  modelId: 'shop',
  supportedUrls: {},
  async doStream({ prompt, abortSignal }) {
    const body = JSON.stringify(prompt)
    const response = await fetch('/model', { method: 'POST', body, signal: abortSignal ?? null })
    if (!response.body) throw new Error('The model says nothing.')
    return { stream: response.body.pipeThrough(new TextDecoderStream()).pipeThrough(partsOfLines()) }
  },
  doGenerate: () => Promise.reject(new Error('This model only streams.')),
}

function partsOfLines(): TransformStream<string, LanguageModelV4StreamPart> {
  let rest = ''
  return new TransformStream({
    transform(chunk, controller) {
      const lines = `${rest}${chunk}`.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) controller.enqueue(JSON.parse(line))
    },
  })
}
