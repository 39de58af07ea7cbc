import type { Agent } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import { fold } from '@interleave/core/observe'
import type { Keeper } from './keeper.ts'

/** Ours: the owner of a run writes, and an agent resumes it. */
export function journalKeeper(agent: Agent, journal: Required<Journal>): Keeper {
  return {
    async begin(runId, durability) {
      const epoch = await journal.claim(runId, 0)
      return (events) => journal.append(runId, events, { epoch, durability })
    },
    async resume(runId) {
      let events: Awaited<ReturnType<Journal['read']>> = []
      let reading = 0
      const read: Journal['read'] = async (id) => {
        const startedAt = performance.now()
        events = await journal.read(id)
        reading = performance.now() - startedAt
        return events
      }
      const startedAt = performance.now()
      await agent.resume(runId, { journal: { ...journal, read } })
      const ms = performance.now() - startedAt
      const folding = timeOf(() => fold(events))
      return { ms, parts: { reading, folding, checking: Math.max(0, ms - reading - folding) } }
    },
  }
}

function timeOf(body: () => unknown): number {
  const startedAt = performance.now()
  body()
  return performance.now() - startedAt
}
