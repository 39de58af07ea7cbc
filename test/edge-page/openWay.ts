import { connect, createServer, type Socket } from 'node:net'
import { listen } from '@interleave/test-kit/listen'

/** A connection to a server that can go dead without a sign. */
export interface Way {
  readonly url: string
  /** Whatever is on it now is lost. What comes later goes through. */
  goDead(): void
  close(): void
}

export async function openWay(target: string): Promise<Way> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => sockets.delete(socket))
      socket.pipe(other)
    }
  })
  const { url, close } = await listen(server)
  return {
    url: `${url}/`,
    goDead() {
      for (const socket of sockets) {
        socket.unpipe()
        socket.removeAllListeners('end')
        socket.pause()
      }
    },
    close() {
      for (const socket of sockets) socket.destroy()
      return close()
    },
  }
}
