import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createRandom } from '@interleave/test-kit/chaos/createRandom'
import { bundlePage } from './bundlePage.ts'
import { createLedger, type Ledger } from './createLedger.ts'

/** A server of pages, of a model and of things to buy. Each run has an origin of its own, and so its own storage and process. */
export interface Shop {
  /** A run that nobody has begun yet. */
  open(): { readonly ledger: Ledger; readonly url: string }
  close(): void
}

export async function openShop(seed: number): Promise<Shop> {
  const files = await bundlePage()
  const random = createRandom(seed)
  const ledgers = new Map<number, Ledger>()
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, hostname } = new URL(request.url ?? '', `http://${request.headers.host}`)
    const file = files.get(pathname)
    const ledger = ledgers.get(Number(/^run-(\d+)\./.exec(hostname)?.[1]))
    if (file) {
      response.setHeader('content-type', pathname.endsWith('.js') ? 'text/javascript' : 'text/html')
      response.setHeader('cache-control', 'max-age=3600')
      response.end(file)
    } else if (ledger && request.method === 'POST') {
      const asked = { path: pathname.slice(1), key: String(request.headers['idempotency-key']), body: '' }
      asked.body = await text(request)
      ledger.requests.push(asked.path)
      await serve(ledger, response, asked)
      ledger.changed()
    } else response.writeHead(404).end()
  }
  // A request that is cut off is what happens here all the time.
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    open() {
      const number = seed * 1_000 + ledgers.size
      const ledger = createLedger(`Buy it all, by seed ${number}.`, () => random() * 6)
      ledgers.set(number, ledger)
      return { ledger, url: `http://run-${number}.localhost:${port}/` }
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

interface Asked {
  readonly path: string
  readonly key: string
  readonly body: string
}

async function serve(ledger: Ledger, response: ServerResponse, { path, key, body }: Asked): Promise<void> {
  const told = () => JSON.parse(body)
  switch (path) {
    case 'attempts':
      response.end(JSON.stringify(ledger.shop.ledger.attempts.get(key) ?? 0))
      return
    case 'going':
      ledger.lives.push(told())
      break
    case 'conflict':
      ledger.conflicts++
      break
    case 'fault':
      ledger.faults.push(told())
      break
    case 'end':
      ledger.end = told()
      break
    default:
      return sell(ledger, response, { path, body })
  }
  response.end('null')
}

/** What the shop does. Whoever dies meanwhile does not learn of it. */
async function sell(
  { shop, held }: Ledger,
  response: ServerResponse,
  { path, body }: Pick<Asked, 'path' | 'body'>,
): Promise<void> {
  const answer = await shop.fetch(new Request(`http://shop.test/${path}`, { method: 'POST', body }))
  if (held(path)) return
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  for await (const chunk of answer.body ?? []) response.write(chunk)
  response.end()
}
