import type { Filter, Source } from './eventsOf.ts'
import type { Log } from './log.ts'
import type { EventOf, Run } from './run.ts'
import type { RunState } from './state.ts'

/** The view's source for a run that is written to a journal. */
export interface Written {
  /** The state that the run began with here: the fold of what the journal had then. */
  readonly base: RunState
  readonly log: Source & Pick<Log, 'durable' | 'durableSeq' | 'onRecovered' | 'onFailed'>
  readonly filter: () => Filter | undefined
}

/** Known by name: a page may hold more than one copy of this package. */
const key = Symbol.for('interleave.written')

/** Says how far the journal has a run. */
export const withWritten = <R extends object>(run: R, written: Written | undefined): R =>
  Object.defineProperty(run, key, { value: written })

export const writtenOf = (run: Run): Written | undefined => (run as { [key]?: Written })[key]

/** Resolves when the journal has everything of a run so far, for what was done before and may not be durable yet. */
export const durable = async (run: Run): Promise<void> => writtenOf(run)?.log.durable()

/**
 * The part of a remote run that is known only here, and is in no journal: the signal of an unreachable run, and this
 * page's latest messages.
 */
export interface Stray {
  /** Before it. */
  readonly state: RunState
  readonly fault: EventOf<'rested'> | undefined
}
const strayKey = Symbol.for('interleave.stray')

export const withStray = <R extends object>(run: R, stray: () => Stray | undefined): R =>
  Object.defineProperty(run, strayKey, { value: stray })

export const strayOf = (run: Run): Stray | undefined => (run as { [strayKey]?: () => Stray | undefined })[strayKey]?.()
