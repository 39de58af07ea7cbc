import type { ClientCall } from '@interleave/connect/internal'
import { localHost } from '@interleave/core'
import { listOf, maybe, shapeOf, text } from '@interleave/core/shapes'
import type { Client, ClientPages } from '@interleave/server/internal'
import { answerWithSocket, type DurableContext, type DurableSocket } from './durableContext.ts'

/** The WebSockets of clients that show a settled run. They survive the object, so clients learn when it continues. */
export interface Bells {
  /** Opens a WebSocket. `isDue` is true if there is more to read already. */
  open(client: Client | undefined, isDue: boolean): Response
  /** Notifies that there is more to read. */
  ring(): void
  /** Forgets a WebSocket that is not connected any more. */
  lose(socket: DurableSocket): void
}

/** A notification: there is more to read, or a call for this client. */
export type BellMessage = { readonly type: 'more' } | { readonly type: 'call'; readonly call: ClientCall }

export function createBells(
  ctx: Pick<DurableContext, 'acceptWebSocket' | 'getWebSockets'>,
  pages: Pick<ClientPages, 'connectClient'>,
): Bells {
  const disconnects = new Map<string, () => void>()
  const connect = (socket: DurableSocket, { bell, ...client }: Attached): void => {
    disconnects.set(
      bell,
      pages.connectClient(client, (call) => tell(socket, { type: 'call', call })),
    )
  }
  for (const socket of ctx.getWebSockets()) {
    const attached = attachedTo(socket)
    if (attached) connect(socket, attached)
  }
  return {
    open: (client, isDue) =>
      answerWithSocket((socket) => {
        ctx.acceptWebSocket(socket)
        const attached = client && { ...client, bell: localHost.newId() }
        socket.serializeAttachment(attached ?? null)
        if (attached) connect(socket, attached)
        if (isDue) tell(socket, { type: 'more' })
      }),
    ring() {
      for (const socket of ctx.getWebSockets()) tell(socket, { type: 'more' })
    },
    lose(socket) {
      const { bell = '' } = attachedTo(socket) ?? {}
      disconnects.get(bell)?.()
      disconnects.delete(bell)
    },
  }
}

/** A connection of a client, which may reconnect before its last one is known to be lost. */
interface Attached extends Client {
  /** The id of the connection. */
  readonly bell: string
}

const attached = shapeOf({ runId: text, name: text, tools: listOf(text), bell: maybe(text) })

function attachedTo(socket: DurableSocket): Attached | undefined {
  const kept = socket.deserializeAttachment()
  return attached(kept) === undefined ? { bell: (kept as Client).name, ...(kept as Client) } : undefined
}

function tell(socket: DurableSocket, message: BellMessage): void {
  try {
    socket.send(JSON.stringify(message))
  } catch {
    // It is closing. Its reader notices that by itself.
  }
}
