import type { Event } from './event.ts'
import type { Run } from './run.ts'

/** Known by name: a page may hold more than one copy of this package. */
const key = Symbol.for('interleave.keptEvents')

/** Lets whoever passes a run on read its log. The list grows with the run. */
export const withKeptEvents = <R extends object>(run: R, events: readonly Event[]): R =>
  Object.defineProperty(run, key, { value: events })

/** Whether it is a run, of this or another copy of this package. */
export const isRun = (value: unknown): value is Run => key in Object(value)

/** All that is kept of a run, the agent's thoughts included. `run.events()` may be without them. */
export const keptEventsOf = (run: Run): readonly Event[] => (run as { [key]?: readonly Event[] })[key] ?? []
