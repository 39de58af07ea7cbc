import { json } from 'node:stream/consumers'
import { listen } from '@interleave/test-kit/listen'

/** A server that answers as OpenAI's Responses API: first it calls a tool, and then it says what the tool returned. */
export interface OpenAiStandIn {
  readonly url: string
  close(): void
}

interface Asked {
  readonly model: string
  readonly input: readonly { readonly type?: string; readonly output?: unknown }[]
}

export async function openAiStandIn(call: { readonly name: string; readonly input: object }): Promise<OpenAiStandIn> {
  const { url, close } = await listen(async (request, response) => {
    const { model, input } = (await json(request)) as Asked
    const last = input.at(-1)
    const item =
      last?.type === 'function_call_output'
        ? messageOf(JSON.stringify(last.output))
        : { type: 'function_call', id: 'item', call_id: 'call', name: call.name, arguments: JSON.stringify(call.input) }
    const answer = {
      id: 'response',
      object: 'response',
      created_at: 1,
      status: 'completed',
      model,
      output: [item],
      usage,
    }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  })
  return { url: `${url}/v1`, close }
}

const messageOf = (text: string): object => {
  const content = [{ type: 'output_text', text, annotations: [] }]
  return { type: 'message', id: 'message', role: 'assistant', status: 'completed', content }
}

const usage = {
  ...{ input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  input_tokens_details: { cached_tokens: 0 },
  output_tokens_details: { reasoning_tokens: 0 },
}
