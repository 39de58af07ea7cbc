import {
  convertToModelMessages,
  createUIMessageStreamResponse,
  streamText,
  tool,
  toUIMessageStream,
  type UIMessage,
} from 'ai'
import * as z from 'zod'
import { modelOf } from './programs/payer.ts'

/** The route of a `useChat`, as the AI SDK's guide to persistence has it. */
export function chatRoute(world: string): (request: Request) => Promise<Response> {
  const chats = new Map<string, UIMessage[]>()
  return async (request) => {
    if (request.method === 'GET') return Response.json(chats.get(new URL(request.url).pathname.slice(1)) ?? [])
    const { id, messages } = (await request.json()) as { id: string; messages: UIMessage[] }
    const result = streamText({
      model: modelOf(world),
      messages: await convertToModelMessages(messages),
      tools: { pay: tool({ description: 'Pays an amount.', inputSchema: z.object({ amount: z.number() }) }) },
    })
    // The answer is stored although the page has gone.
    void result.consumeStream()
    return createUIMessageStreamResponse({
      stream: toUIMessageStream({
        stream: result.stream,
        originalMessages: messages,
        onEnd: ({ messages: all }) => void chats.set(id, all),
      }),
    })
  }
}
