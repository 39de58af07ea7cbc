import type { Event, Parent } from './event.ts'

/**
 * Where logs are kept. `append` is compare-and-append: it takes the events only if the log ends right before the first
 * of them, so that two owners of one run cannot both write.
 */
export interface Journal {
  /**
   * Resolves when the events are safe; no events are no change. Rejects with `journal_conflict` if `events[0].seq` is not
   * the log's length.
   */
  append(runId: string, events: readonly Event[]): void | PromiseLike<void>
  /** The log from a position; empty for a run that is not there. */
  read(runId: string, from?: number): readonly Event[] | PromiseLike<readonly Event[]>
  /** Newest first. Reads no logs. */
  list(options?: ListOptions): readonly RunSummary[] | PromiseLike<readonly RunSummary[]>
  delete(runId: string): void | PromiseLike<void>
}

export interface ListOptions {
  agent?: string
  /** Only runs last written to before this time, in milliseconds since the epoch. For paging. */
  before?: number
  limit?: number
}

export interface RunSummary {
  readonly runId: string
  readonly agent: string
  readonly version: string
  /** The run that this one works for; absent for those that a user began. */
  readonly parent?: Parent
  readonly startedAt: number
  readonly updatedAt: number
  readonly events: number
  /** The type of the signal it rests with; absent while it works. */
  readonly rest?: string
  /** The first words of the user. */
  readonly title: string
}
