import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { createRandom } from '@interleave/core/testing'
import { bundlePage } from './bundlePage.ts'
import { createLedger, type Ledger } from './createLedger.ts'
import { scriptOf } from './scriptOf.ts'
import { speak } from './speak.ts'

/** A server of pages, of a model and of things to buy. Each run has an origin of its own, and so its own storage and process. */
export interface Shop {
  /** A run that nobody has begun yet. */
  open(): { readonly ledger: Ledger; readonly url: string }
  close(): void
}

export async function openShop(seed: number): Promise<Shop> {
  const files = await bundlePage()
  const random = createRandom(seed)
  const ledgers: Ledger[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, hostname } = new URL(request.url ?? '', `http://${request.headers.host}`)
    const file = files.get(pathname)
    const ledger = ledgers[Number(/^run-(\d+)\./.exec(hostname)?.[1])]
    if (file) {
      response.setHeader('content-type', pathname.endsWith('.js') ? 'text/javascript' : 'text/html')
      response.setHeader('cache-control', 'max-age=3600')
      response.end(file)
    } else if (ledger && request.method === 'POST') {
      const asked = { path: pathname.slice(1), key: String(request.headers['idempotency-key']), body: '' }
      asked.body = await text(request)
      ledger.requests.push(asked.path)
      await serve(ledger, response, { ...asked, delayMs: () => random() * 6 })
      ledger.changed()
    } else response.writeHead(404).end()
  }
  // A request that is cut off is what happens here all the time.
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    open() {
      const ledger = createLedger(scriptOf(random))
      ledgers.push(ledger)
      return { ledger, url: `http://run-${ledgers.length - 1}.localhost:${port}/` }
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
  delayMs(): number
}

async function serve(ledger: Ledger, response: ServerResponse, asked: Asked): Promise<void> {
  const { path, key, body } = asked
  const data = JSON.parse(body)
  switch (path) {
    case 'model':
      ledger.turns++
      return speak(response, ledger, { prompt: data, delayMs: asked.delayMs })
    case 'attempts':
      response.end(JSON.stringify(ledger.attempts.get(key) ?? 0))
      return
    case 'going':
      ledger.lives.push(data)
      break
    case 'conflict':
      ledger.conflicts++
      break
    case 'fault':
      ledger.faults.push(data)
      break
    case 'end':
      ledger.end = data
      break
    default:
      return sell(ledger, response, { ...asked, body: data })
  }
  response.end('null')
}

/** What a tool does. Whoever dies meanwhile does not learn of it. */
async function sell(
  ledger: Ledger,
  response: ServerResponse,
  { path: name, key, body, delayMs }: Omit<Asked, 'body'> & { readonly body: { readonly item: number } },
): Promise<void> {
  ledger.attempts.set(key, (ledger.attempts.get(key) ?? 0) + 1)
  const happen = (): string => {
    const receipts = ledger.effects.get(key) ?? []
    const receipt = `${name} ${body.item}, ${ledger.effects.size + 1}`
    ledger.effects.set(key, [...receipts, receipt])
    return receipt
  }
  let result = `look ${body.item}`
  if (name === 'book') result = happen()
  if (name === 'charge') {
    await pause(delayMs())
    result = ledger.effects.get(key)?.[0] ?? happen()
  }
  if (ledger.held(name)) return
  await pause(delayMs())
  response.end(JSON.stringify(result))
}
