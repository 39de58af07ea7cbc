import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
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

/** The route of a `useChat`, as the AI SDK's guide to persistence has it. It is never killed. */
export async function serveChats(world: string): Promise<{ readonly url: string; close(): void }> {
  const chats = new Map<string, UIMessage[]>()
  const server = createServer((request, response) => void answer(chats, world, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function answer(
  chats: Map<string, UIMessage[]>,
  world: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.setHeader('access-control-allow-origin', '*')
  response.setHeader('access-control-allow-headers', '*')
  if (request.method === 'OPTIONS') return void response.end()
  if (request.method === 'GET') return void response.end(JSON.stringify(chats.get(request.url?.slice(1) ?? '') ?? []))
  const { id, messages } = JSON.parse(await text(request)) as { id: string; messages: UIMessage[] }
  const result = streamText({
    model: modelOf(world),
    messages: await convertToModelMessages(messages),
    tools: { pay: tool({ description: 'Pays an amount.', inputSchema: z.object({ amount: z.number() }) }) },
  })
  // The answer is stored although the page has gone.
  void result.consumeStream()
  const { body, headers } = createUIMessageStreamResponse({
    stream: toUIMessageStream({
      stream: result.stream,
      originalMessages: messages,
      onEnd: ({ messages: all }) => void chats.set(id, all),
    }),
  })
  response.writeHead(200, Object.fromEntries(headers))
  for await (const chunk of body ?? []) response.write(chunk)
  response.end()
}
