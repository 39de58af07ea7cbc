import { AgentError } from '../error.ts'
import type { Event } from '../event.ts'
import type { Journal, ListOptions, RunSummary } from '../journal.ts'
import { summarize } from './summarize.ts'

/** A journal that lives as long as the page or process. For tests, and for runs that need not survive. */
export function memoryJournal(): Journal {
  const logs = new Map<string, Event[]>()
  const summaries = new Map<string, RunSummary>()
  return {
    append(runId: string, events: readonly Event[]): void {
      const first = events[0]
      if (!first) return
      const log = logs.get(runId) ?? []
      if (first.seq !== log.length) {
        const where = `The log of run ${runId} has ${log.length} events, so event ${first.seq} does not follow.`
        throw new AgentError('journal_conflict', `${where} Somebody else goes on with this run.`)
      }
      log.push(...structuredClone(events))
      logs.set(runId, log)
      summaries.set(runId, summarize(summaries.get(runId), events))
    },
    read: (runId: string, from = 0): readonly Event[] => structuredClone((logs.get(runId) ?? []).slice(from)),
    list({ agent, before = Number.POSITIVE_INFINITY, limit = 50 }: ListOptions = {}): readonly RunSummary[] {
      return [...summaries.values()]
        .filter((run) => run.updatedAt < before && (agent === undefined || run.agent === agent))
        .sort((a, b) => b.updatedAt - a.updatedAt)
        .slice(0, limit)
    },
    delete(runId: string): void {
      logs.delete(runId)
      summaries.delete(runId)
    },
  }
}
