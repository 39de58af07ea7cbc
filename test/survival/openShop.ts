import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { createRandom } from '@interleave/test-kit/chaos/createRandom'
import { listen } from '@interleave/test-kit/listen'
import { bundlePage } from './bundlePage.ts'
import { createLedger, type Ledger } from './createLedger.ts'

/** A server of pages, of a model and of things to buy. Each run has an origin of its own, and so its own storage and process. */
export interface Shop {
  /** Opens a run that has not started yet. */
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
      const { 'idempotency-key': key, 'sent-at': sentAt } = request.headers
      const asked = { path: pathname.slice(1), key: String(key), sentAt: Number(sentAt ?? Infinity), body: '' }
      asked.body = await text(request)
      ledger.requests.push(asked.path)
      await serve(ledger, response, asked)
      ledger.changed()
    } else response.writeHead(404).end()
  }
  // A request that is cut off is what happens here all the time.
  const { port, close } = await listen(
    (request, response) => void answer(request, response).catch(() => response.destroy()),
  )
  return {
    open() {
      const number = seed * 1_000 + ledgers.size
      const ledger = createLedger(`Buy it all, by seed ${number}.`, () => random() * 6)
      ledgers.set(number, ledger)
      return { ledger, url: `http://run-${number}.localhost:${port}/` }
    },
    close,
  }
}

interface Asked {
  readonly path: string
  readonly key: string
  /** Milliseconds since the epoch. */
  readonly sentAt: number
  readonly body: string
}

async function serve(ledger: Ledger, response: ServerResponse, asked: Asked): Promise<void> {
  const { path, key, body } = asked
  const told = () => JSON.parse(body)
  switch (path) {
    case 'attempts': {
      const attempts = ledger.shop.ledger.attempts.get(key) ?? 0
      if (attempts === 0) tellUntried(ledger, key, told().doubt)
      response.end(JSON.stringify(attempts))
      return
    }
    case 'going':
      ledger.lives.push(told())
      break
    case 'conflict':
      ledger.conflicts++
      break
    case 'fault':
      if (!isDying(ledger, told())) ledger.faults.push(told().words)
      break
    case 'end':
      ledger.end = told()
      break
    default:
      return sell(ledger, response, asked)
  }
  response.end('null')
}

interface Fault {
  /** When its place began, and when the error arose. */
  readonly since: number
  readonly at: number
  readonly words: string
}

/** True for an error of a place that is being killed: a browser breaks its connections, and it goes on for a moment. */
const isDying = ({ killedAt }: Ledger, { since, at }: Fault): boolean => since < killedAt && at >= killedAt

/**
 * Notes that a user was told that a call was not tried. Only the first answer to a question counts: a later one may be
 * about the new attempt.
 */
function tellUntried({ toldUntried }: Ledger, key: string, interruption: number): void {
  if ((toldUntried.get(key)?.interruption ?? -1) < interruption) toldUntried.set(key, { interruption, at: Date.now() })
}

/** Executes a request to the shop. A page that dies meanwhile does not learn its result. */
async function sell(
  { shop, held, toldUntried }: Ledger,
  response: ServerResponse,
  { path, body, sentAt }: Asked,
): Promise<void> {
  // The user answered that it was not tried while the request was on its way.
  if (path === 'book' && sentAt < (toldUntried.get(JSON.parse(body).key)?.at ?? 0)) return void response.destroy()
  const answer = await shop.fetch(new Request(`http://shop.test/${path}`, { method: 'POST', body }))
  if (held(path)) return
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  for await (const chunk of answer.body ?? []) response.write(chunk)
  response.end()
}
