import type { Event, RunState } from '@interleave/core'
import { fold, reduce } from '@interleave/core/observe'

interface Known {
  readonly length: number
  readonly last: Event
  readonly state: RunState
}
/** The longest that was read of each log, by its first event. */
const read = new WeakMap<Event, Known>()

/** The state after a log. What was read of it before is not read again: a log that grows costs what it grew by. */
export function stateOf(events: readonly Event[]): RunState {
  const [[first], last] = [events, events.at(-1)]
  if (!first || !last) return fold(events)
  const known = read.get(first)
  // The same event at the same place comes after the same events.
  const goesOn = known && events[known.length - 1] === known.last
  const state = goesOn ? events.slice(known.length).reduce<RunState>(reduce, known.state) : fold(events)
  if (goesOn || !known || events.length > known.length) read.set(first, { length: events.length, last, state })
  return state
}
