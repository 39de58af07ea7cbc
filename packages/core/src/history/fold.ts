import { checkEvents, checkRunState, DEV } from '#checks'
import { fold as foldEvents, reduce as reduceEvent } from '../changes/all.ts'
import type { AnyEvent, Event } from '../event.ts'
import { assertOption } from '../options.ts'
import { type Call, initialState, openCalls as openCallsOf, type RunState } from '../state.ts'

/** Computes the state after an event. The same log always gives the same state. */
export function reduce(state: RunState, event: AnyEvent): RunState {
  checkRunState(state, 'reduce()')
  assertOption(typeof Object(event).type === 'string', DEV && 'reduce() needs an event, such as one of run.log.')
  return reduceEvent(state, event)
}

/** Returns the state after a whole log, or after the events of it that follow `before`. */
export function fold(events: Iterable<Event>, before: RunState = initialState): RunState {
  checkEvents(events, 'fold()')
  checkRunState(before, 'fold()')
  return foldEvents(events, before)
}

/** Returns the calls of the latest turn that have no result yet. */
export function openCalls(state: RunState): readonly Call[] {
  checkRunState(state, 'openCalls()')
  return openCallsOf(state)
}
