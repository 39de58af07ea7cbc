import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { type Agent, AgentError, agent, choice, type ToolContext, tool } from '@interleave/core'
import { schemaBy } from '@interleave/core/internal'

export interface ShopAgentOptions {
  /** The address of the shop. */
  url: string
  /** The address of its model; the shop's by default. */
  modelUrl?: string | undefined
  fetch?: (request: Request) => Promise<Response>
  /** The keys that the shop receives, for an agent that is broken on purpose. */
  keyOf?: (given: string) => string
  /** The declared effect of a booking, for an agent that is broken on purpose. */
  booking?: 'atMostOnce' | 'idempotent'
  /** The milliseconds after which its tools expect no answer of the shop any more; by default they wait as any tool does. */
  giveUpMs?: number | undefined
}

/** An agent that does what a shop has its model say. The same on every host. */
export function shopAgent({
  url,
  modelUrl = url,
  keyOf = (key) => key,
  booking = 'atMostOnce',
  giveUpMs,
  ...options
}: ShopAgentOptions): Agent<string> {
  const fetch = options.fetch ?? ((request: Request) => globalThis.fetch(request))
  const post = async (name: string, body: unknown, signal?: AbortSignal): Promise<Response> => {
    const headers = { 'content-type': 'application/json' }
    const request = new Request(`${name === 'model' ? modelUrl : url}/${name}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal: signal ?? null,
    })
    const response = await fetch(request)
    if (!response.ok) throw new Error(`The shop answers ${response.status}.`)
    return response
  }
  const buy =
    (name: string) =>
    async (input: Input, { idempotencyKey, abortSignal }: ToolContext): Promise<string> => {
      const limit = giveUpMs === undefined || name === 'book' ? [] : [AbortSignal.timeout(giveUpMs)]
      try {
        const signal = AbortSignal.any([abortSignal, ...limit])
        return await (await post(name, { key: keyOf(idempotencyKey), input }, signal)).json()
      } catch (cause) {
        // Nobody knows whether the shop has done it. That its time is up, the run knows itself.
        if (giveUpMs === undefined || abortSignal.aborted) throw cause
        throw new AgentError('tool_interrupted', `The shop cannot be reached: ${cause}`, { cause })
      }
    }

  return agent({
    name: 'shopper',
    model: shopModel(post),
    tools: {
      charge: tool({ inputSchema, effect: 'idempotent', execute: buy('charge') }),
      book: tool({
        ...{ inputSchema, effect: booking, execute: buy('book') },
        ...(giveUpMs !== undefined && { timeoutMs: giveUpMs }),
      }),
      look: tool({ inputSchema, effect: 'readOnly', execute: buy('look') }),
      choose: tool({
        inputSchema,
        effect: 'idempotent',
        execute: async (input, context) => {
          const color = await context.ask(choice({ prompt: 'Which color?', options: ['red', 'blue'] }))
          return `${await buy('charge')(input, context)} in ${color}`
        },
      }),
    },
  })
}

interface Input {
  readonly item: number
  readonly take: number
}

/** Written by hand, so that it needs no schema library. */
const inputSchema = schemaBy<Input>(
  { type: 'object', properties: { item: { type: 'number' }, take: { type: 'number' } }, required: ['item', 'take'] },
  (value) => {
    const { item, take }: Partial<Input> = Object(value)
    return typeof item === 'number' && typeof take === 'number' ? { item, take } : undefined
  },
  'give { item, take }',
)

/** A model behind a network, as any is. */
const shopModel = (
  post: (name: string, body: unknown, signal?: AbortSignal) => Promise<Response>,
): LanguageModelV4 => ({
  specificationVersion: 'v4',
  provider: 'shop',
  modelId: 'shop',
  supportedUrls: {},
  async doStream({ prompt, abortSignal }) {
    const { body } = await post('model', prompt, abortSignal)
    if (!body) throw new Error('The model says nothing.')
    return { stream: body.pipeThrough(new TextDecoderStream()).pipeThrough(partsOfLines()) }
  },
  doGenerate: () => Promise.reject(new Error('This model only streams.')),
})

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
