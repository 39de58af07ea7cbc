import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Handler } from '@interleave/core/server'

/** Answers a request of Node by what speaks fetch. */
export async function answerNode(handle: Handler, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const gone = new AbortController()
  outgoing.on('close', () => gone.abort())
  const { method = 'GET', headers } = incoming
  // Vite takes its own path away from what it hands on.
  const path = (incoming as { originalUrl?: string }).originalUrl ?? incoming.url
  const hasBody = method === 'POST' || method === 'PUT'
  const body = hasBody ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' } : {}
  const request = new Request(`http://${headers.host}${path}`, {
    method,
    headers: Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || name.startsWith(':') ? [] : [[name, String(value)] as [string, string]],
    ),
    signal: gone.signal,
    ...body,
  })
  const response = await handle(request)
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  // Who asks for events is told at once that they come.
  outgoing.flushHeaders()
  if (response.body) await pipeline(Readable.fromWeb(response.body as never), outgoing).catch(() => {})
  else outgoing.end()
}
