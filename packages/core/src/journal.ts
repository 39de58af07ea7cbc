import type { Event, Parent } from './event.ts'

/**
 * Where logs are kept. `append` is compare-and-append: it takes the events only if the log ends right before the first
 * of them, so that two owners of one run cannot both write. A journal with `claim` also refuses an owner that another one
 * has followed, although its events would fit. An id that is no text, or an empty one, is refused with `options_invalid`.
 */
export interface Journal {
  /**
   * Resolves when the events are safe; no events are no change. Rejects with `journal_conflict` if `events[0].seq` is not
   * the log's length, or if there is an epoch and it is not that of the latest claim.
   */
  append(runId: string, events: readonly Event[], options?: AppendOptions): void | PromiseLike<void>
  /** The log from a position; empty for a run that is not there. */
  read(runId: string, from?: number): readonly Event[] | PromiseLike<readonly Event[]>
  /** Newest first, and of one time by id, from the last. Reads no logs. */
  list(options?: ListOptions): readonly RunSummary[] | PromiseLike<readonly RunSummary[]>
  /** The run, and those below it, whose ids begin with `<runId>/`. */
  delete(runId: string): void | PromiseLike<void>
  /**
   * Makes the caller the owner of a run: gives an epoch that no claim of this run had before, also if it was deleted between.
   * Rejects with `journal_conflict`, and changes nothing, if the log has another length. A journal without it keeps two
   * owners apart by `seq` alone.
   */
  claim?(runId: string, length: number): number | PromiseLike<number>
}

/** A journal that tells of changes by other tabs, workers and processes too. */
export interface WatchableJournal extends Journal {
  /**
   * Calls the listener when a list looks different: a run began, got its title, paused, continued or was deleted. May call it more
   * often. Returns a function that ends this.
   */
  watch(listener: () => void): () => void
}

export interface AppendOptions {
  /** What `claim` gave. Without one only `seq` is compared, as for a log that is copied. */
  epoch?: number | undefined
  /**
   * How safe is safe. `relaxed`, the default, outlives the page and the browser; `strict` also a power cut, and takes longer. It
   * is asked for before a tool that changes something starts, and for what a person replied.
   */
  durability?: Durability
}

export type Durability = 'relaxed' | 'strict'

export interface ListOptions {
  agent?: string
  /** Only the runs below this one, whose ids begin with `<id>/`. */
  below?: string
  /**
   * For paging: only what comes after this run, the last of the page before. A time, in milliseconds since the epoch, gives runs
   * last written to before it: of several with that time, a page may end between them and the next one has none of them.
   */
  before?: number | Pick<RunSummary, 'runId' | 'updatedAt'>
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
