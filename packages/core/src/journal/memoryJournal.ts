import type { Event } from '../event.ts'
import type { AppendOptions, Journal, ListOptions, RunSummary, WatchableJournal } from '../journal.ts'
import { copyJson } from '../json.ts'
import { checkKey, checkRunId } from '../options.ts'
import { journalEngine } from './journalEngine.ts'
import { checkList, conflict, lists, looksDifferent, newestFirst, staleOwner, summarize } from './runList.ts'

/** A journal that lives as long as the page or process. For tests, and for runs that need not survive. */
export function memoryJournal(): Required<Journal> & WatchableJournal {
  const logs = new Map<string, Event[]>()
  const summaries = new Map<string, RunSummary>()
  const owners = new Map<string, number>()
  const listeners = new Set<{ readonly notify: () => void }>()
  const notifyAll = (): void => {
    for (const { notify } of listeners) queueMicrotask(notify)
  }
  let claims = 0
  return {
    engine: journalEngine,
    identity: null,
    append(runId: string, events: readonly Event[], { epoch }: AppendOptions = {}): void {
      checkRunId(runId)
      const first = events[0]
      if (!first) return
      const log = logs.get(runId) ?? []
      if (first.seq !== log.length) throw conflict(runId, log.length, first.seq, owners.get(runId))
      if (epoch !== undefined && epoch !== owners.get(runId)) throw staleOwner(runId)
      for (const event of structuredClone(events)) log.push(event)
      logs.set(runId, log)
      const [before, after] = [summaries.get(runId), summarize(summaries.get(runId), events)]
      summaries.set(runId, after)
      if (looksDifferent(before, after)) notifyAll()
    },
    read(runId: string, from = 0): readonly Event[] {
      checkKey(runId)
      return structuredClone((logs.get(runId) ?? []).slice(Math.max(0, from)))
    },
    list(options?: ListOptions): readonly RunSummary[] {
      const { limit, ...wanted } = checkList(options)
      return [...summaries.values()].filter(lists(wanted)).sort(newestFirst).slice(0, limit).map(copyJson)
    },
    delete(runId: string): void {
      checkKey(runId)
      for (const each of [logs, summaries, owners]) {
        for (const id of each.keys()) if (id === runId || id.startsWith(`${runId}/`)) each.delete(id)
      }
      notifyAll()
    },
    claim(runId: string, length: number): number {
      checkKey(runId)
      const { length: now } = logs.get(runId) ?? []
      if (length !== now) throw conflict(runId, now, length)
      owners.set(runId, ++claims)
      return claims
    },
    watch(notify: () => void): () => void {
      const listener = { notify }
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
