import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { agent, approval, tool } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { z } from 'zod'

let release = (): void => {}
const released = (): Promise<void> =>
  new Promise((resolve) => {
    release = resolve
  })
/** Lets the model or the tool that waits go on. */
export const proceed = (): void => release()

const call = (name: string) => ({
  reasoning: 'It is about Bonn.',
  text: 'One moment.',
  calls: [{ name, input: { city: 'Bonn' } }],
})

/** Returns the model's next turn, from the conversation alone. */
function next(prompt: LanguageModelV4Prompt) {
  const last = JSON.stringify(prompt.at(-1))
  if (last.includes('weather?')) return call('weather')
  if (last.includes('Book it')) return call('book')
  if (last.includes('execution-denied')) return 'As you like.'
  return last.includes('Booked') ? 'It is booked.' : 'Sunny … all day.'
}

/** Waits after a `…` until it is let go on. */
const pausing = (): TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart> =>
  new TransformStream({
    async transform(part, controller) {
      controller.enqueue(part)
      if ('delta' in part && part.delta.includes('…')) await released()
    },
  })

const model: LanguageModelV4 = {
  ...scriptedModel(),
  async doStream(options) {
    const { stream } = await scriptedModel(next(options.prompt)).doStream(options)
    return { stream: stream.pipeThrough(pausing()) }
  },
}

const inputSchema = z.object({ city: z.string() })

export const guide = agent({
  name: 'guide',
  model,
  tools: {
    weather: tool({
      inputSchema,
      effect: 'readOnly',
      async *execute({ city }) {
        yield `Looking at ${city}`
        await released()
        yield `Sun over ${city}`
      },
    }),
    book: tool({ inputSchema, approve: approval(), effect: 'atMostOnce', execute: ({ city }) => `Booked ${city}` }),
  },
})
