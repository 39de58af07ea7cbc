import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** The route of a chat, for pages of any origin. It is never killed, and ends each answer although the page has gone. */
export async function openRoute(
  answer: (request: Request) => Promise<Response>,
): Promise<{ readonly url: string; close(): void }> {
  const server = createServer(async (asked, response) => {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', '*')
    if (asked.method === 'OPTIONS') return void response.end()
    const { status, headers, body } = await answer(await requestOf(asked))
    response.writeHead(status, Object.fromEntries(headers))
    for await (const chunk of body ?? []) response.write(chunk)
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function requestOf(asked: IncomingMessage): Promise<Request> {
  const { method = 'GET', headers, url = '/' } = asked
  return new Request(new URL(url, 'http://route'), {
    method,
    headers: headers as Record<string, string>,
    ...(method === 'POST' && { body: await text(asked) }),
  })
}
