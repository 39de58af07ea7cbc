import { connect, createServer, type Socket } from 'node:net'
import { listen } from '@interleave/test-kit/listen'

/** An address that stays the same, whichever process is behind it. */
export interface Gate {
  readonly url: string
  /** New connections go there. Those that are open stay where they are. */
  leadTo(port: number): void
  /** Ends all connections, as when the way to a machine is lost: the machine goes on. */
  cut(): void
  close(): void
}

export async function openGate(): Promise<Gate> {
  let target = 0
  const sockets = new Set<Socket>()
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  }
  const server = createServer((outer) => {
    const inner = connect(target, '127.0.0.1')
    keep(outer)
    keep(inner)
    outer.on('close', () => inner.destroy())
    inner.on('close', () => outer.destroy())
    outer.pipe(inner).pipe(outer)
  })
  const { url, close } = await listen(server)
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `${url}/`,
    leadTo(next) {
      target = next
    },
    cut,
    close() {
      cut()
      return close()
    },
  }
}
