import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { countUp, createLedger, type Deed, type Ledger } from './ledger.ts'
import { type Order, shopScript } from './shopScript.ts'
import { turnParts } from './turnParts.ts'

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
  /** Milliseconds that the next answer, or piece of one, takes; none by default. */
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

/** The place in the conversation tells which turn is next. It comes in pieces, so that it can be cut off. */
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
