import type { Client, ClientPages } from '../server/clientPages.ts'
import type { ClientErrand } from '../server/frame.ts'
import { listOf, shapeOf, text } from '../shape.ts'
import type { DurableContext, DurableSocket } from './durableContext.ts'
import { answerWithSocket } from './webSocketPair.ts'

/**
 * The connections of those who look at a run that rests. They outlive the object's time in memory: it is gone while a person
 * thinks, and the pages hear of it all the same when the run goes on. Who performs tools goes on doing so.
 */
export interface Bells {
  /** `isDue`: there is more to read already. */
  open(client: Client | undefined, isDue: boolean): Response
  /** There is more to read. */
  ring(): void
  /** This one is not connected any more. */
  lose(socket: DurableSocket): void
}

/** What a bell says: that there is more to read, or what this client is to do. */
export type BellMessage = { readonly type: 'more' } | { readonly type: 'errand'; readonly errand: ClientErrand }

export function createBells(
  ctx: Pick<DurableContext, 'acceptWebSocket' | 'getWebSockets'>,
  pages: Pick<ClientPages, 'connect'>,
): Bells {
  const disconnects = new Map<string, () => void>()
  const connect = (socket: DurableSocket, client: Client): void => {
    disconnects.get(client.name)?.()
    disconnects.set(
      client.name,
      pages.connect(client, (errand) => tell(socket, { type: 'errand', errand })),
    )
  }
  for (const socket of ctx.getWebSockets()) {
    const client = clientOf(socket)
    if (client) connect(socket, client)
  }
  return {
    open: (client, isDue) =>
      answerWithSocket((socket) => {
        ctx.acceptWebSocket(socket)
        socket.serializeAttachment(client ?? null)
        if (client) connect(socket, client)
        if (isDue) tell(socket, { type: 'more' })
      }),
    ring() {
      for (const socket of ctx.getWebSockets()) tell(socket, { type: 'more' })
    },
    lose(socket) {
      const { name = '' } = clientOf(socket) ?? {}
      disconnects.get(name)?.()
      disconnects.delete(name)
    },
  }
}

const client = shapeOf({ runId: text, name: text, tools: listOf(text) })

function clientOf(socket: DurableSocket): Client | undefined {
  const attached = socket.deserializeAttachment()
  return client(attached) === undefined ? (attached as Client) : undefined
}

function tell(socket: DurableSocket, message: BellMessage): void {
  try {
    socket.send(JSON.stringify(message))
  } catch {
    // It is closing. Whoever reads notices by itself.
  }
}
