import {
  type Answer,
  type ClientCall,
  clientGraceMs,
  Page,
  type PageOptions,
  pageRegistry,
} from '@interleave/connect/internal'
import type { Host } from '@interleave/core'

export interface Client {
  /** The run's id in the journal. */
  readonly runId: string
  /** Identifies the client, of those that have the run open. */
  readonly name: string
  readonly tools: readonly string[]
}
type ClientName = Pick<Client, 'runId' | 'name'>

interface Connected {
  readonly page: Page
  /**
   * The streams of the client, which reads the latest one that it has opened. They may be connected here in another order,
   * and the end of an older one may be noticed late, so each gets every call.
   */
  readonly streams: Set<ClientStream>
  /**
   * The latest aborted calls: the client may have had no stream to receive the abort, and a second abort does nothing.
   */
  readonly aborts: ClientCall[]
  cancelLoss(): void
}

export interface ClientStream {
  send(call: ClientCall): void
  /** Ends the stream, since the client seems to be gone. One that is alive opens another one. */
  end(): void
}

const mostAborts = 100

/** The clients that run tools, each while it has a stream of the run open, and for some time after. */
export class ClientPages {
  readonly #host: Pick<Host, 'timer'>
  /** Milliseconds in which a client that executes a call must take it again: it does so with each heartbeat. */
  readonly #againMs: number
  readonly #clients = new Map<string, Connected>()

  constructor(host: Pick<Host, 'timer'>, heartbeatMs: number) {
    this.#host = host
    this.#againMs = Math.max(clientGraceMs, 3 * heartbeatMs)
  }

  /**
   * Connects a client that opens a stream: it gets the aborts that it may have missed, its calls without an answer,
   * then new ones. Returns the function to call when the stream is closed.
   */
  connectClient(client: Client, stream: ClientStream): () => void {
    const key = keyOf(client)
    const known = this.#clients.get(key)
    if (known && !hasSameTools(known.page, client)) this.#loseClient(key, known)
    const connected: Connected =
      this.#clients.get(key) ?? connect(client, { host: this.#host, onSilent: () => this.#loseClient(key, connected) })
    this.#clients.set(key, connected)
    connected.cancelLoss()
    connected.streams.add(stream)
    for (const call of [...connected.aborts, ...connected.page.openToolCalls]) stream.send(call)
    pageRegistry.addPage(connected.page)
    return () => {
      // The client may have another one, or have returned with other tools.
      if (!connected.streams.delete(stream) || connected.streams.size > 0) return
      connected.cancelLoss = this.#host.timer(clientGraceMs, () => this.#loseClient(key, connected))
    }
  }

  /** Lets a client run a call. Returns false if it was given up. */
  takeCall(client: ClientName, call: string): boolean {
    return this.#clients.get(keyOf(client))?.page.takeCall(call, this.#againMs) ?? false
  }

  /** Receives the answer to a call. Returns true if the call was still open. */
  receiveAnswer(client: ClientName, answer: Answer): boolean {
    return this.#clients.get(keyOf(client))?.page.receiveAnswer(answer) ?? false
  }

  /**
   * Marks the client of a request as the most recently used one. Without a stream it counts as connected for some time,
   * so that its run does not ask for a page in vain.
   */
  markUsed(client: Client | undefined): void {
    if (!client) return
    const connected = this.#clients.get(keyOf(client))
    if (connected) pageRegistry.markUsed(connected.page)
    else this.connectClient(client, { send() {}, end() {} })()
  }

  #loseClient(key: string, connected: Connected): void {
    connected.cancelLoss()
    const streams = [...connected.streams]
    connected.streams.clear()
    if (this.#clients.get(key) === connected) this.#clients.delete(key)
    pageRegistry.removePage(connected.page)
    connected.page.loseCalls()
    for (const stream of streams) stream.end()
  }
}

function connect({ runId, tools }: Client, watch: Pick<PageOptions, 'host' | 'onSilent'>): Connected {
  const connected: Connected = {
    page: new Page({
      ...{ ...watch, tools, models: [] },
      post(message) {
        if (message.type !== 'tool' && message.type !== 'abort') return
        if (message.type === 'abort') connected.aborts.push(message)
        if (connected.aborts.length > mostAborts) connected.aborts.shift()
        for (const stream of connected.streams) stream.send(message)
      },
      shows: (id) => id === runId || id.startsWith(`${runId}/`),
    }),
    streams: new Set(),
    aborts: [],
    cancelLoss() {},
  }
  return connected
}

/** Returns the client that sends a request, if it runs tools. */
export function clientOf({ searchParams }: URL, runId: string): Client | undefined {
  const name = searchParams.get('client')
  const tools = (searchParams.get('tools') ?? '').split(',').filter((tool) => tool !== '')
  return name && tools.length > 0 ? { runId, name, tools } : undefined
}

const keyOf = ({ runId, name }: ClientName): string => `${runId}|${name}`
const hasSameTools = (page: Page, { tools }: Client): boolean =>
  page.tools.size === tools.length && tools.every((tool) => page.tools.has(tool))
