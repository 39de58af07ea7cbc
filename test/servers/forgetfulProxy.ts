import { createConnection, createServer, type Socket } from 'node:net'

export interface ForgetfulProxy {
  readonly port: number
  /** Forgets the connections that are open: nothing passes any more, and nobody is told. New ones work. */
  forget(): void
  close(): Promise<void>
}

/** Starts a proxy in front of a database that forgets connections, as a firewall does. */
export async function startForgetfulProxy(path: string): Promise<ForgetfulProxy> {
  const pairs = new Set<readonly [Socket, Socket]>()
  const server = createServer((client) => {
    const database = createConnection(path)
    const pair = [client, database] as const
    pairs.add(pair)
    for (const socket of pair) socket.on('error', () => {})
    client.on('data', (data) => database.write(data))
    database.on('data', (data) => client.write(data))
    client.on('close', () => {
      pairs.delete(pair)
      database.destroy()
    })
    database.on('close', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    port,
    forget() {
      for (const pair of pairs) for (const socket of pair) socket.removeAllListeners('data').resume()
    },
    close() {
      for (const [client] of pairs) client.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
