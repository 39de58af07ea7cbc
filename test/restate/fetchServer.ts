import { createServer, type Server } from 'node:http'
import { buffer } from 'node:stream/consumers'

/** Serves a fetch handler, as an edge would: a request comes whole, and then its answer goes. */
export function fetchServer(handle: (request: Request) => Promise<Response>): Server {
  return createServer(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request
    const body = method === 'GET' ? null : await buffer(request)
    const answer = await handle(
      new Request(`http://${headers.host}${url}`, { method, headers: headers as Record<string, string>, body }),
    )
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    for await (const chunk of answer.body ?? []) response.write(chunk)
    response.end()
  })
}
