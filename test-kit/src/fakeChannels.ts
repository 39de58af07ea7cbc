import type { Channel, ChannelListener } from '@interleave/core/internal'

/** A page or worker to which a browser gives locks and messages. */
export interface Client {
  /** Goes on when it can be given something. */
  wait(): Promise<void>
}

interface Ear {
  readonly client: Client
  readonly onMessage: (data: unknown) => void
  /** The message before, after which the next one is received. */
  before: Promise<void>
}

export interface FakeChannels {
  open(name: string, listener: ChannelListener, client: Client): Channel
  leave(client: Client): void
}

/** BroadcastChannel for clients that may be frozen or gone: in order, and to everybody else. */
export function fakeChannels(): FakeChannels {
  const ears = new Map<string, Set<Ear>>()
  return {
    open(name, { onMessage }, client) {
      const own: Ear = { client, onMessage, before: Promise.resolve() }
      const all = ears.get(name) ?? new Set()
      ears.set(name, all.add(own))
      return {
        post(data) {
          const copy: unknown = structuredClone(data)
          for (const ear of all) {
            if (ear === own) continue
            ear.before = ear.before.then(async () => {
              await ear.client.wait()
              if (all.has(ear)) ear.onMessage(copy)
            })
          }
        },
        close: () => void all.delete(own),
      }
    },
    leave(client) {
      for (const all of ears.values()) for (const ear of all) if (ear.client === client) all.delete(ear)
    },
  }
}
