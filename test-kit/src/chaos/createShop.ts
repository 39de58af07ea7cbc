import type { LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { finishPart } from '../providerParts.ts'
import { createRandom } from './createRandom.ts'

/** A request to a shop: a turn of the model, or a call of a tool. */
export type ShopRequest = 'model' | 'charge' | 'book' | 'look'

/**
 * A world for runs that are killed: a model, and things to buy. It must be in a process that is not killed, and any
 * server that speaks fetch can serve it. A repeated request gets another result: the model says something else, and a
 * booking is made again.
 */
export interface Shop {
  readonly ledger: Ledger
  /** Returns the calls of the model in a run that begins with this message. */
  ordersOf(message: string): readonly Order[]
  /** Answers `POST …/model` and `POST …/<tool>`. */
  fetch(request: Request): Promise<Response>
  /** Resolves when so many more requests have come, of these names if some are given, or after so many milliseconds. */
  until(requests: number, orMs: number, names?: readonly ShopRequest[]): Promise<void>
}

export interface ShopOptions {
  /** Milliseconds that the next answer, or chunk of one, takes; none by default. */
  delayMs?: () => number
  /** Calls in a run; 8 by default. */
  calls?: number
}

export function createShop({ delayMs = () => 0, calls = 8 }: ShopOptions = {}): Shop {
  const ledger = createLedger()
  const watches = new Set<(name: string) => void>()
  const delay = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, delayMs()))
  return {
    ledger,
    ordersOf: (message) => shopScript(seedOf(message), calls).flat(),
    async fetch(request) {
      const asked = await request.json()
      const name = new URL(request.url).pathname.split('/').at(-1) ?? ''
      for (const watch of [...watches]) watch(name)
      if (name === 'model') return speak(asked, { ledger, calls, delay })
      return Response.json(await sell({ ...asked, name }, { ledger, delay }))
    },
    until(requests, orMs, names) {
      return new Promise((resolve) => {
        let left = requests
        const end = (): void => {
          watches.delete(watch)
          clearTimeout(timer)
          resolve()
        }
        const watch = (name: string): void => {
          if ((names?.some((awaited) => awaited === name) ?? true) && --left <= 0) end()
        }
        const timer = setTimeout(end, orMs)
        watches.add(watch)
      })
    },
  }
}

interface Speaking {
  readonly ledger: Ledger
  readonly calls: number
  delay(): Promise<void>
}

const seedOf = (text: string): number => Number(/seed (\d+)/.exec(text)?.[1])

/** Streams the turn that is next in the conversation, in chunks, so that it can be cut off. */
function speak(prompt: LanguageModelV4Prompt, { ledger, calls, delay }: Speaking): Response {
  const seed = seedOf(JSON.stringify(prompt))
  const turn = prompt.filter(({ role }) => role === 'assistant').length
  const take = countUp(ledger.turns, `${seed}/${turn}`)
  const orders: readonly Order[] = shopScript(seed, calls)[turn] ?? []
  const parts = turnParts(orders, { turn, take })
  const stream = new ReadableStream<string>({
    async pull(controller) {
      const { done, value } = parts.next()
      if (done) return controller.close()
      if (value.type === 'text-delta' || value.type === 'finish') await delay()
      controller.enqueue(`${JSON.stringify(value)}\n`)
    },
  })
  return new Response(stream.pipeThrough(new TextEncoderStream()), {
    headers: { 'content-type': 'application/x-ndjson' },
  })
}

interface Asked {
  readonly name: string
  readonly key: string
  readonly input: unknown
}

/** A request that has arrived is carried out. A client that dies before the answer does not learn of it. */
async function sell(
  { name, key, input }: Asked,
  { ledger, delay }: Pick<Speaking, 'ledger' | 'delay'>,
): Promise<string> {
  countUp(ledger.attempts, key)
  await delay()
  const text = JSON.stringify(input)
  if (name === 'look') return `look ${text}`
  const before = ledger.deeds.get(key) ?? []
  const known = name === 'charge' ? before[0] : undefined
  const deed: Deed = known ?? { name, input: text, receipt: `${name} ${text}, ${ledger.deeds.size + before.length}` }
  if (!known) ledger.deeds.set(key, [...before, deed])
  await delay()
  return deed.receipt
}

/** The effects in the world, by idempotency key. */
export interface Deed {
  readonly name: string
  readonly input: string
  readonly receipt: string
}

/** The record of the effects of all runs. No crash touches it. */
export interface Ledger {
  /** Requests of tools by idempotency key. */
  readonly attempts: Map<string, number>
  readonly deeds: Map<string, readonly Deed[]>
  /** The number of requests for a turn of a conversation. */
  readonly turns: Map<string, number>
}

const createLedger = (): Ledger => ({ attempts: new Map(), deeds: new Map(), turns: new Map() })

/** Counts one more, and gives how many there are. */
function countUp(counts: Map<string, number>, key: string): number {
  const count = (counts.get(key) ?? 0) + 1
  counts.set(key, count)
  return count
}

/** The calls of the model: `charge` may run twice with the same key, `book` may not, `look` changes nothing, and `choose` asks. */
export interface Order {
  readonly name: 'charge' | 'book' | 'look' | 'choose'
  readonly item: number
}

/** The turns of a run of so many calls, several of them side by side, in an order that the seed decides. One of them asks. */
function shopScript(seed: number, calls: number): readonly (readonly Order[])[] {
  const random = createRandom(seed)
  const kinds = Array.from({ length: calls - 1 }, () => kind(random()))
  kinds.splice(Math.floor(random() * calls), 0, 'choose')
  const orders = kinds.map((name, item): Order => ({ name, item }))
  const turns: Order[][] = []
  while (orders.length > 0) turns.push(orders.splice(0, [1, 1, 2, 4][Math.floor(random() * 4)]))
  return turns
}

const kind = (number: number): Order['name'] => (number < 0.4 ? 'charge' : number < 0.8 ? 'book' : 'look')

/** Yields one turn as a provider streams it. Another attempt at it has other text and other calls. */
function* turnParts(
  orders: readonly Order[],
  { turn, take }: { readonly turn: number; readonly take: number },
): Generator<LanguageModelV4StreamPart, undefined> {
  yield { type: 'stream-start', warnings: [] }
  yield { type: 'text-start', id: '0' }
  yield { type: 'text-delta', id: '0', delta: orders.length > 0 ? `Zürich №${turn} 🛒,` : 'All is' }
  yield { type: 'text-delta', id: '0', delta: orders.length > 0 ? ` take ${take}.` : ' bought.' }
  yield { type: 'text-end', id: '0' }
  for (const [index, { name, item }] of orders.entries()) {
    // Ids repeat in later turns, as those of real providers do.
    yield { type: 'tool-call', toolCallId: `${index}`, toolName: name, input: JSON.stringify({ item, take }) }
  }
  yield finishPart(orders.length > 0 ? 'tool-calls' : 'stop', { input: 10, output: 5 })
}
