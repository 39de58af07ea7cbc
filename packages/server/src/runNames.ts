import type { Event } from '@interleave/core'
import { renameRun } from '@interleave/core/internal'

/** Converts run ids between the user's form and the journal's, which begins with the user: no other run has an id. */
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
    return event.type === 'permitted' && event.persistent ? { ...event, by: toShown(event.by) } : event
  }
  return {
    owner,
    toKept: (id) => `${owner}/${id}`,
    toShown,
    show: (events) => renameRun(events, toShown).map(showOthers),
  }
}

/** Returns the user of a run, as `authorize` named them, and the id that they know it by. */
export function ownerAndId(kept: string): [user: string, runId: string] {
  const end = Math.max(0, kept.indexOf('/'))
  return [decodeURIComponent(kept.slice(0, end)), kept.slice(end === 0 ? 0 : end + 1)]
}
