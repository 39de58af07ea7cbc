import type { RemoteRun } from '@interleave/connect/worker'
import { restateAgent, restateJournal } from '@interleave/restate'
import type { ChaosPlace } from '@interleave/test-kit/chaos/chaos'

export interface RestatePlaceOptions {
  readonly ingress: string
  readonly kill: ChaosPlace['kill']
  /** Makes the requests of the client. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

export interface RestatePlace extends ChaosPlace {
  /** Follows nothing any more. */
  close(): void
}

/** Returns runs of the shop's agent on Restate, for a client that calls it directly. */
export function restatePlace({ ingress, kill, fetch }: RestatePlaceOptions): RestatePlace {
  const shopper = restateAgent({ agent: 'shopper', ingress, ...(fetch && { fetch }) })
  const journal = restateJournal({ ingress })
  const runs = new Map<string, RemoteRun>()
  const runOf = (id: string, message: string): RemoteRun => {
    const run = runs.get(id) ?? shopper.start(message, { id })
    runs.set(id, run)
    return run
  }
  return {
    start: async (id, message) => runOf(id, message).state.seq,
    reply: async (id, ask, value) => (runs.get(id) ?? (await shopper.resume(id))).reply(ask, value as never),
    read: async (id) => journal.read(id),
    kill,
    close() {
      for (const run of runs.values()) run.close()
    },
  }
}
