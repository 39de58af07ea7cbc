import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'

/** What a turn calls: `charge` may run twice under its key, `book` may not, `look` changes nothing, `confirm` asks a person. */
export type Order = 'charge' | 'book' | 'look' | 'confirm'
export type Script = readonly (readonly Order[])[]

/** What is outside of all processes and never dies: the model, and what was done, by keys. */
export interface World {
  readonly url: string
  /** Requests by idempotency key. */
  readonly attempts: ReadonlyMap<string, number>
  /** What happened, by idempotency key. */
  readonly effects: ReadonlyMap<string, readonly string[]>
  readonly turns: number
  close(): void
}

export interface WorldOptions {
  readonly script: Script
  /** Milliseconds that a model or a tool takes at most. */
  readonly ms: number
}

export async function openWorld({ script, ms }: WorldOptions): Promise<World> {
  const attempts = new Map<string, number>()
  const effects = new Map<string, string[]>()
  let turns = 0

  const happen = (name: string, key: string): string => {
    const receipt = `${name} ${effects.size + 1}`
    effects.set(key, [...(effects.get(key) ?? []), receipt])
    return receipt
  }
  const take = (name: string, key: string): string => {
    attempts.set(key, (attempts.get(key) ?? 0) + 1)
    if (name === 'look') return 'seen'
    const [before] = effects.get(key) ?? []
    return name === 'charge' && before !== undefined ? before : happen(name, key)
  }
  const answer = async (request: IncomingMessage): Promise<unknown> => {
    const body = await text(request)
    if (request.url === '/model') {
      turns++
      await pause(Math.random() * ms)
      return {
        calls: (script[Number(body)] ?? []).map((name) => ({ name, input: { turn: Number(body), again: turns } })),
      }
    }
    await pause((Math.random() * ms) / 2)
    // Who asked is gone before it was heard.
    if (request.socket.destroyed) throw new Error('Gone.')
    const result = take((request.url ?? '').slice(1), String(request.headers['idempotency-key']))
    await pause((Math.random() * ms) / 2)
    return result
  }
  const server = createServer((request, response) => {
    answer(request).then(
      (result) => response.end(JSON.stringify(result)),
      () => response.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    attempts,
    effects,
    get turns() {
      return turns
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
