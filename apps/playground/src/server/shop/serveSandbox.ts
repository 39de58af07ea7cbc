import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(import.meta.resolve('@interleave/mcp/package.json')).replace(
  /package\.json$/,
  'sandbox.html',
)

let serving: Promise<string> | undefined

/** Returns the address of the sandbox page of apps. It has a port, and so an origin, of its own, as long as the process lives. */
export function sandboxAddress(): Promise<string> {
  serving ??= serve()
  return serving
}

async function serve(): Promise<string> {
  const page = await readFile(source)
  const server = createServer(({ url }, response) => {
    const isThere = url === path
    response.writeHead(isThere ? 200 : 404, {
      'content-type': isThere ? 'text/html; charset=utf-8' : 'text/plain',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    response.end(isThere ? page : 'Not found')
  })
  server.unref()
  return `http://127.0.0.1:${await listen(server)}${path}`
}

const path = '/sandbox.html'

const listen = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address && typeof address === 'object') resolve(address.port)
    })
  })
