import type { Run } from '@interleave/core'
import type { ChaosPlace } from '@interleave/core/testing'
import { restateAgent, restateJournal } from '@interleave/restate'

export interface RestatePlaceOptions {
  readonly ingress: string
  /** As of `restateHost()`. */
  readonly name?: string
  readonly kill: ChaosPlace['kill']
}

/** Runs of the shop's agent on Restate, as somebody has them who asks it directly. */
export function restatePlace({ kill, ...options }: RestatePlaceOptions): ChaosPlace {
  const shopper = restateAgent({ agent: 'shopper', ...options })
  const journal = restateJournal(options)
  const runs = new Map<string, Run>()
  const runOf = (id: string, message: string): Run => {
    const run = runs.get(id) ?? shopper.start(message, { id })
    runs.set(id, run)
    return run
  }
  return {
    start: async (id, message) => runOf(id, message).state.seq,
    reply: async (id, ask, value) => (runs.get(id) ?? (await shopper.resume(id))).reply(ask, value as never),
    read: async (id) => journal.read(id),
    kill,
  }
}
