import { checkKey, checkRunId } from '../checkRunId.ts'
import type { Event } from '../event.ts'
import type { AppendOptions, Journal, ListOptions, RunSummary, WatchableJournal } from '../journal.ts'
import { journalEngine } from '../journalEngine.ts'
import { conflict, lists, looksDifferent, newestFirst, outlived, summarize } from './summary.ts'

/** A journal that lives as long as the page or process. For tests, and for runs that need not survive. */
export function memoryJournal(): Required<Journal> & WatchableJournal {
  const logs = new Map<string, Event[]>()
  const summaries = new Map<string, RunSummary>()
  const owners = new Map<string, number>()
  const listeners = new Set<{ readonly tell: () => void }>()
  const tellAll = (): void => {
    for (const { tell } of listeners) queueMicrotask(tell)
  }
  let claims = 0
  return {
    engine: journalEngine,
    append(runId: string, events: readonly Event[], { epoch }: AppendOptions = {}): void {
      checkRunId(runId)
      const first = events[0]
      if (!first) return
      const log = logs.get(runId) ?? []
      if (first.seq !== log.length) throw conflict(runId, log.length, first.seq)
      if (epoch !== undefined && epoch !== owners.get(runId)) throw outlived(runId)
      for (const event of structuredClone(events)) log.push(event)
      logs.set(runId, log)
      const [before, after] = [summaries.get(runId), summarize(summaries.get(runId), events)]
      summaries.set(runId, after)
      if (looksDifferent(before, after)) tellAll()
    },
    read(runId: string, from = 0): readonly Event[] {
      checkKey(runId)
      return structuredClone((logs.get(runId) ?? []).slice(from))
    },
    list: ({ limit = 50, ...options }: ListOptions = {}): readonly RunSummary[] =>
      [...summaries.values()].filter(lists(options)).sort(newestFirst).slice(0, Math.max(0, limit)),
    delete(runId: string): void {
      checkKey(runId)
      for (const each of [logs, summaries, owners]) {
        for (const id of each.keys()) if (id === runId || id.startsWith(`${runId}/`)) each.delete(id)
      }
      tellAll()
    },
    claim(runId: string, length: number): number {
      checkKey(runId)
      const { length: now } = logs.get(runId) ?? []
      if (length !== now) throw conflict(runId, now, length)
      owners.set(runId, ++claims)
      return claims
    },
    watch(tell: () => void): () => void {
      const listener = { tell }
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
