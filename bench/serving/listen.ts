import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { nodeListener } from '@interleave/server/node'

type Handle = (request: Request) => Promise<Response>
/** Returns true if it has responded. */
type Before = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<boolean>

/** Serves a function of fetch by Node, as the guide has it, and gives its address. */
export function listen(handle: Handle, before: Before): Promise<string> {
  const answer = nodeListener(handle)
  const server = createServer(async (incoming, outgoing) => {
    if (!(await before(incoming, outgoing))) answer(incoming, outgoing)
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  })
}
