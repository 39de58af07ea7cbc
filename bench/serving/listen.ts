import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'

type Handle = (request: Request) => Promise<Response>
/** Whether it has answered. */
type Before = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<boolean>

/** Serves a function of fetch by Node, as the guide has it, and gives its address. */
export function listen(handle: Handle, before: Before): Promise<string> {
  const server = createServer(async (incoming, outgoing) => {
    if (await before(incoming, outgoing)) return
    const gone = new AbortController()
    outgoing.on('close', () => gone.abort())
    const { method = 'GET', url, headers } = incoming
    const body = method === 'POST' ? { body: Readable.toWeb(incoming), duplex: 'half' } : {}
    const init = { method, headers, signal: gone.signal, ...body } as unknown as RequestInit
    const response = await handle(new Request(`http://${headers.host}${url}`, init))
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    if (response.body) await pipeline(Readable.fromWeb(response.body as ReadableStream), outgoing).catch(() => {})
    else outgoing.end()
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  })
}
