import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { LanguageModelV4 } from '@ai-sdk/provider'

interface Turn {
  readonly model: LanguageModelV4
  readonly prompt: string
}

/** The least that sends events: those of a list, or the pieces of a text as a model gives them. Nothing can be asked for again. */
export async function writeFloor(outgoing: ServerResponse, from: Turn | readonly unknown[]): Promise<void> {
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
  for await (const event of 'model' in from ? deltasOf(from) : from) {
    if (!outgoing.write(`data: ${JSON.stringify(event)}\n\n`)) await once(outgoing, 'drain')
  }
  outgoing.end()
}

async function* deltasOf({ model, prompt }: Turn): AsyncGenerator<object> {
  const { stream } = await model.doStream({ prompt: [{ role: 'user', content: [{ type: 'text', text: prompt }] }] })
  for await (const part of stream as unknown as AsyncIterable<{ type: string; delta?: string }>) {
    if (part.type === 'text-delta') yield { type: 'delta', delta: part.delta }
  }
}
