import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The kinds of the tool of a trial. */
export const tools = ['naive', 'idempotent', 'changing', 'two-phase'] as const
export type ToolKind = (typeof tools)[number]

/** Where the process dies: see `docs/proof.md`. */
export const barriers = ['before', 'after', 'recorded'] as const
export type Barrier = (typeof barriers)[number]

/** An entry of the ledger. Each has the hash of the one before, so that none can be taken out or changed. */
export interface Entry {
  readonly run: string
  readonly amount: number
  readonly hash: string
}

/** The report of a program when its run has ended: the payments in its own record. */
export interface Report {
  readonly amounts: readonly number[]
}

interface Watch {
  readonly tool: ToolKind
  readonly barrier: Barrier
  /** Kills the process. Nothing is answered after it. */
  readonly kill: () => Promise<void>
  readonly done: (report: Report) => void
  hasDied: boolean
  asked: number
  prepared: number
  turns: number
}

/** All that is outside of the process that dies: the model, the bank with its ledger, and the person who is asked. */
export class World {
  readonly entries: Entry[] = []
  readonly #keys = new Set<string>()
  readonly #watches = new Map<string, Watch>()
  readonly #server = createServer((request, response) => void this.#serve(request, response))

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  watch(run: string, watch: Pick<Watch, 'tool' | 'barrier' | 'kill' | 'done'>): void {
    this.#watches.set(run, { ...watch, hasDied: false, asked: 0, prepared: 0, turns: 0 })
  }

  /** Returns how often a user was asked about a run, and whether its process has died as it should. */
  told(run: string): Pick<Watch, 'asked' | 'hasDied'> {
    return this.#watchOf(run)
  }

  entriesOf(run: string): readonly Entry[] {
    return this.entries.filter((entry) => entry.run === run)
  }

  #watchOf(run: string): Watch {
    const watch = this.#watches.get(run)
    if (!watch) throw new Error(`No trial has the run "${run}".`)
    return watch
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', 'content-type')
    if (request.method !== 'POST') return void response.end()
    let text = ''
    for await (const chunk of request) text += chunk
    const answer = await this.#answer(request.url ?? '', JSON.parse(text) as Asked)
    if (answer !== died) response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  }

  async #answer(path: string, asked: Asked): Promise<unknown> {
    const watch = this.#watchOf(asked.run)
    switch (path) {
      case '/model':
        return this.#model(watch, asked)
      case '/enter':
        return watch.barrier === 'before' && watch.tool !== 'two-phase' ? this.#die(watch, true) : true
      case '/prepare':
        return ++watch.prepared
      case '/pay':
        // A payment of two phases dies between them.
        if (watch.barrier === 'before' && (await this.#die(watch, true)) === died) return died
        this.#pay(asked)
        return watch.barrier === 'after' ? this.#die(watch, asked.amount) : asked.amount
      case '/ask':
        watch.asked++
        // The person looks whether the money has gone.
        return this.entriesOf(asked.run).length > 0 ? 'done' : 'again'
      case '/done':
        watch.done(asked as unknown as Report)
        return true
      default:
        throw new Error(`Nothing is at ${path}.`)
    }
  }

  /** The model decides on a payment, and then says that it is made. If it is asked again, it may decide otherwise. */
  async #model(watch: Watch, { results = 0 }: Asked): Promise<unknown> {
    const amount = watch.tool === 'changing' ? 10 + watch.turns++ : 10
    if (results === 0) return { amount }
    // The caller may live on: the route of a chat, whose page is killed.
    if (watch.barrier === 'recorded') await this.#die(watch, undefined)
    return { text: 'Paid.' }
  }

  #pay({ run, amount = 0, key }: Asked): void {
    if (key !== undefined && this.#keys.has(key)) return
    if (key !== undefined) this.#keys.add(key)
    const before = this.entries.at(-1)?.hash ?? ''
    const hash = createHash('sha256').update(`${before} ${run} ${amount}`).digest('hex')
    this.entries.push({ run, amount, hash })
  }

  /** Kills the process the first time, and then answers as if nothing were. */
  async #die(watch: Watch, answer: unknown): Promise<unknown> {
    if (watch.hasDied) return answer
    watch.hasDied = true
    await watch.kill()
    return died
  }
}

interface Asked {
  readonly run: string
  readonly amount?: number
  readonly key?: string
  readonly results?: number
}

const died = Symbol('died')

/** False if an entry was changed or taken out. */
export function isWhole(entries: readonly Entry[]): boolean {
  let before = ''
  return entries.every(({ run, amount, hash }) => {
    const expected = createHash('sha256').update(`${before} ${run} ${amount}`).digest('hex')
    before = hash
    return hash === expected
  })
}
