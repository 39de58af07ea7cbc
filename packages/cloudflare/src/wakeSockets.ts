import type { ClientCall } from '@interleave/connect/internal'
import { localHost } from '@interleave/core'
import { listOf, maybe, shapeOf, text } from '@interleave/core/shapes'
import type { Client, ClientPages } from '@interleave/server/internal'
import { answerWithSocket, type DurableContext, type DurableSocket } from './durableContext.ts'

/** A notification: there is more to read, or a call for this client. */
export type WakeMessage = { readonly type: 'more' } | { readonly type: 'call'; readonly call: ClientCall }

/** A connection of a client, which may reconnect before its last one is known to be lost. */
interface Attached extends Client {
  readonly connection: string
}

const attached = shapeOf({ runId: text, name: text, tools: listOf(text), connection: maybe(text) })

/** WebSockets of clients that show a settled run. They survive eviction, so clients learn when the run continues. */
export class WakeSockets {
  readonly #ctx: Pick<DurableContext, 'acceptWebSocket' | 'getWebSockets'>
  readonly #pages: Pick<ClientPages, 'connectClient'>
  /** The functions that disconnect clients, by connection. */
  readonly #disconnects = new Map<string, () => void>()

  constructor(
    ctx: Pick<DurableContext, 'acceptWebSocket' | 'getWebSockets'>,
    pages: Pick<ClientPages, 'connectClient'>,
  ) {
    this.#ctx = ctx
    this.#pages = pages
    for (const socket of ctx.getWebSockets()) this.#connect(socket, attachedTo(socket))
  }

  /** Opens a WebSocket. `isDue` is true if there is more to read already. */
  openSocket(client: Client | undefined, isDue: boolean): Response {
    return answerWithSocket((socket) => {
      this.#ctx.acceptWebSocket(socket)
      const attached = client && { ...client, connection: localHost.newId() }
      socket.serializeAttachment(attached ?? null)
      this.#connect(socket, attached)
      if (isDue) send(socket, { type: 'more' })
    })
  }

  /** Notifies all clients that there is more to read. */
  notifyAll(): void {
    for (const socket of this.#ctx.getWebSockets()) send(socket, { type: 'more' })
  }

  /** Forgets a WebSocket that is not connected any more. */
  loseSocket(socket: DurableSocket): void {
    const { connection = '' } = attachedTo(socket) ?? {}
    this.#disconnects.get(connection)?.()
    this.#disconnects.delete(connection)
  }

  #connect(socket: DurableSocket, attached: Attached | undefined): void {
    if (!attached) return
    const { connection, ...client } = attached
    const disconnect = this.#pages.connectClient(client, {
      send: (call) => send(socket, { type: 'call', call }),
      end: () => socket.close(),
    })
    this.#disconnects.set(connection, disconnect)
  }
}

function attachedTo(socket: DurableSocket): Attached | undefined {
  const attachment = socket.deserializeAttachment()
  return attached(attachment) === undefined
    ? { connection: (attachment as Client).name, ...(attachment as Client) }
    : undefined
}

function send(socket: DurableSocket, message: WakeMessage): void {
  try {
    socket.send(JSON.stringify(message))
  } catch {
    // It is closing. Its reader notices that by itself.
  }
}
