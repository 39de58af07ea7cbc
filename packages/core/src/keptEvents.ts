import type { Event } from './event.ts'
import type { Run } from './run.ts'
import type { RunState } from './state.ts'

/** Known by name: a page may hold more than one copy of this package. */
const key = Symbol.for('interleave.keptEvents')

const baseKey = Symbol.for('interleave.baseState')

/**
 * Attaches a run's log to its handle, for code that passes the run on. The list grows with the run. `base` is the state
 * before it, if the run was resumed from a state.
 */
export const withKeptEvents = <R extends object>(run: R, events: readonly Event[], base?: RunState): R =>
  Object.defineProperties(run, { [key]: { value: events }, [baseKey]: { value: base } })

const fileKey = Symbol.for('interleave.ofFile')

/** Marks a run that only shows what a file has. */
export const markOfFile = <R extends object>(run: R): R => Object.defineProperty(run, fileKey, { value: true })

export const isOfFile = (run: object): boolean => fileKey in run

/** Returns true for a run, of this or another copy of this package. */
export const isRun = (value: unknown): value is Run => key in Object(value)

/** All that is kept of a run, the agent's thoughts included. `run.events()` may be without them. */
export const keptEventsOf = (run: Run): readonly Event[] => (run as { [key]?: readonly Event[] })[key] ?? []

/** The state that a run was resumed from without a log. Its events follow this state. */
export const baseStateOf = (run: Run): RunState | undefined => (run as { [baseKey]?: RunState })[baseKey]
