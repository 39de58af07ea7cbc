import type { Event } from '@interleave/core'
import { renameRun } from '@interleave/core/internal'

/** Converts run ids between their owner and the journal, where the owner comes first. Other runs do not exist. */
export interface RunNames {
  /** The prefix of this owner's run ids in the journal. */
  readonly owner: string
  toKept(id: string): string
  /** Converts a string that begins with the id of a run or of a child run. */
  toShown(id: string): string
  /** Returns events as their owner sees them. */
  show(events: readonly Event[]): readonly Event[]
}

export function runNames(principal: string): RunNames {
  const owner = encodeURIComponent(principal)
  const toShown = (id: string): string => (id.startsWith(`${owner}/`) ? id.slice(owner.length + 1) : id)
  const showOthers = (event: Event): Event => {
    if (event.type === 'started' && event.forkedFrom)
      return { ...event, forkedFrom: { ...event.forkedFrom, runId: toShown(event.forkedFrom.runId) } }
    return event.type === 'allowed' && event.forGood ? { ...event, by: toShown(event.by) } : event
  }
  return {
    owner,
    toKept: (id) => `${owner}/${id}`,
    toShown,
    show: (events) => renameRun(events, toShown).map(showOthers),
  }
}
