import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the ports that systems give to sockets that name none, so that nobody is given one of them in the meantime. */
const [lowest, highest] = [12_000, 15_999]

/** Returns a free port of this machine, for a server that has to be told its own. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest + 1)
    if (await isFree(port)) return port
  }
}

/** Returns free ports of this machine, all different. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports = new Set<number>()
  while (ports.size < count) ports.add(await freePort())
  return [...ports]
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    )
    server.listen(port, () => server.close(() => resolve(true)))
  })
