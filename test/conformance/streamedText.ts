import type { LanguageModelV4 } from '@ai-sdk/provider'

/** The text that a model streams, read without the engine: all that comes before the stream ends or fails. */
export async function streamedText(model: LanguageModelV4): Promise<string> {
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Go on.' }] }]
  let text = ''
  try {
    const { stream } = await model.doStream({ prompt })
    for await (const part of stream) if (part.type === 'text-delta') text += part.delta
  } catch {
    // Only the text before the failure matters.
  }
  return text
}
