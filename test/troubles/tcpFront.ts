import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'
import { clear, type Passage } from './passages.ts'

export interface TcpFront {
  readonly port: number
  /** The number of connections that are open. */
  readonly open: number
  /** Treats all bytes like this from now on, also those that are still held. */
  set(passage: Passage): void
  /**
   * Ends what is behind the connections that are open now. The sides that are unaware are told nothing: to them the
   * connection is open, and nothing arrives any more. New connections work.
   */
  lose(unaware: 'client' | 'server' | 'both' | 'none'): void
  close(): Promise<void>
}

interface Pair {
  readonly client: Socket
  readonly server: Socket
  /** True once nothing passes any more. */
  isLost: boolean
  /** True once the server has sent something. */
  isAnswered: boolean
}

/** Starts a proxy of TCP in front of a port or a socket file, which troubles its connections as networks do. */
export async function startTcpFront(target: number | string): Promise<TcpFront> {
  const pairs = new Set<Pair>()
  let passage: Passage = clear
  let change = new AbortController()

  /** Passes on what one side sends, as the passage of the moment has it, and its end. */
  const carry = async (pair: Pair, to: 'client' | 'server'): Promise<void> => {
    const [from, into] = to === 'server' ? [pair.client, pair.server] : [pair.server, pair.client]
    try {
      for await (const data of from as AsyncIterable<Buffer>) {
        if (to === 'client') pair.isAnswered = true
        await pass(pair, { to, data })
      }
    } catch {
      // It was reset, which the other side learns as any end.
    }
    await pass(pair, { to, data: undefined })
    if (!pair.isLost) into.end()
  }
  /** Asks each new passage again what becomes of data that the one before held. */
  const pass = async (pair: Pair, { to, data }: { to: 'client' | 'server'; data: Buffer | undefined }) => {
    const into = pair[to]
    const end = (late?: { readonly data: Buffer; readonly ms: number }): void => {
      pair.isLost = true
      pair.client.destroy()
      if (late) setTimeout(() => pair.server.end(late.data), late.ms)
      else pair.server.destroy()
    }
    const passing = { to, data, end, isAnswered: pair.isAnswered, write: (part: Buffer) => writeTo(into, part) }
    while (!pair.isLost) {
      const { signal } = change
      if ((await passage({ ...passing, signal })) !== 'held') return
    }
  }

  const set = (next: Passage): void => {
    passage = next
    change.abort()
    change = new AbortController()
  }
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = typeof target === 'number' ? createConnection(target, '127.0.0.1') : createConnection(target)
    const pair: Pair = { client, server: upstream, isLost: false, isAnswered: false }
    pairs.add(pair)
    for (const socket of [client, upstream]) socket.setNoDelay(true).on('error', () => {})
    void Promise.all([carry(pair, 'server'), carry(pair, 'client')]).then(() => {
      for (const socket of [client, upstream]) socket.destroySoon()
      pairs.delete(pair)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const front: TcpFront = {
    port: (server.address() as AddressInfo).port,
    get open() {
      return pairs.size
    },
    set,
    lose(unaware) {
      for (const pair of pairs) {
        pair.isLost = true
        if (unaware === 'client' || unaware === 'none') pair.server.destroy()
        if (unaware === 'server' || unaware === 'none') pair.client.destroy()
      }
    },
    close() {
      for (const { client, server: upstream } of pairs) for (const socket of [client, upstream]) socket.destroy()
      set(clear)
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return front
}

/** Writes, and resolves when there is room for more. */
const writeTo = async (socket: Socket, data: Buffer): Promise<void> => {
  if (socket.destroyed || socket.write(data)) return
  await new Promise<void>((resolve) => {
    socket.once('drain', resolve).once('close', resolve)
  })
}
