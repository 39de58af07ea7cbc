import type { Event } from '@interleave/core'
import { renameRun } from '@interleave/core/internal'

/**
 * The ids of runs, as their owner has them and as the journal does. There the owner comes first: nobody can name the run of
 * somebody else, and one that is asked for by somebody else is looked for, and missed, like one that never was.
 */
export interface RunNames {
  /** What the ids of all runs of this owner begin with in the journal. */
  readonly owner: string
  toKept(id: string): string
  /** For anything that begins with the id of a run, or of one below it. */
  toShown(id: string): string
  /** Events as their owner is told of them. */
  show(events: readonly Event[]): readonly Event[]
}

export function runNames(principal: string): RunNames {
  const owner = encodeURIComponent(principal)
  const toShown = (id: string): string => (id.startsWith(`${owner}/`) ? id.slice(owner.length + 1) : id)
  const showFork = (event: Event): Event =>
    event.type === 'started' && event.forkedFrom
      ? { ...event, forkedFrom: { ...event.forkedFrom, runId: toShown(event.forkedFrom.runId) } }
      : event
  return {
    owner,
    toKept: (id) => `${owner}/${id}`,
    toShown,
    show: (events) => renameRun(events, toShown).map(showFork),
  }
}
