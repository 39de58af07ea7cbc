import { createConnection, createServer, type Socket } from 'node:net'

export interface LossyProxy {
  readonly port: number
  /** The number of answers that were lost so far. */
  readonly lost: number
  /** The share of requests whose answers are lost, from 0 to 1. */
  share: number
  close(): Promise<void>
}

export interface LossyProxyOptions {
  /** The socket of the database. */
  readonly path: string
  readonly random: () => number
  /** The longest time after which a request whose answer is lost still reaches the database, in milliseconds. */
  readonly lateMs: number
}

/**
 * Starts a proxy in front of a database that loses answers: the connection breaks, and the database gets the request at
 * once, or after the client has looked whether it has it.
 */
export async function startLossyProxy({ path, random, lateMs }: LossyProxyOptions): Promise<LossyProxy> {
  const sockets = new Set<Socket>()
  const counts = { lost: 0 }
  const proxy = { share: 0 }
  const server = createServer((client) => {
    const database = createConnection(path)
    let isReady = false
    for (const socket of [client, database]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    database.on('data', (data) => {
      isReady = true
      client.write(data)
    })
    database.on('close', () => client.destroy())
    client.on('data', (data) => {
      // A connection is set up without a loss, since nothing is written by that.
      if (!isReady || random() >= proxy.share) {
        database.write(data)
        return
      }
      counts.lost++
      client.removeAllListeners('data')
      client.destroy()
      database.removeAllListeners('data')
      setTimeout(() => database.end(data), random() < 0.5 ? 0 : random() * lateMs)
    })
    client.on('end', () => database.end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    port,
    get lost() {
      return counts.lost
    },
    get share() {
      return proxy.share
    },
    set share(share) {
      proxy.share = share
    },
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
