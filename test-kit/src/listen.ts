import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Server } from 'node:net'

/** A server of this machine. */
export interface Listening {
  readonly port: number
  /** Its address, without a slash at the end. */
  readonly url: string
  /** Ends its connections of HTTP, and resolves when it is closed. */
  close(): Promise<void>
}

type AnyServer = Server & { closeAllConnections?(): void; keepAliveTimeout?: number }

const open = new Set<Listening>()

/** Listens on this machine only, at a free port unless one is given. */
export async function listen(given: RequestListener | AnyServer, wanted = 0): Promise<Listening> {
  const server: AnyServer = typeof given === 'function' ? createServer(given) : given
  // On a busy machine a client would use a connection again just as the server closes it for having been idle.
  if ('keepAliveTimeout' in server) server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(wanted, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const listening: Listening = {
    port,
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        open.delete(listening)
        server.close(() => resolve())
        server.closeAllConnections?.()
      }),
  }
  open.add(listening)
  return listening
}

/** Closes all servers that still listen. For `afterEach` and `afterAll`. */
export async function closeServers(): Promise<void> {
  await Promise.all([...open].map((each) => each.close()))
}
