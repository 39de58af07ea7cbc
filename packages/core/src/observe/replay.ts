import type { AnyEvent, Event } from '../event.ts'
import { isRun, keptEventsOf } from '../keptEvents.ts'
import { fold, reduce } from '../reduce.ts'
import type { Listener } from '../run.ts'
import { checkRunFile, runFile } from '../runFile.ts'
import { initialState, type RunState } from '../state.ts'

/** A recorded run, told again. No model is asked and no tool runs. */
export interface Replay {
  readonly events: readonly Event[]
  /** The state after the last event, or after the event with this `seq`. */
  stateAt(seq?: number): RunState
  /** Tells every event in order, live ones in their places. Attach observers to it as to a run. */
  play(listener: Listener): void
}

/**
 * Opens the file of a run, or a run that is at hand, as it is now. A file comes from elsewhere, so it is checked first: throws
 * `log_invalid`.
 */
export function replay(from: unknown): Replay {
  const { events, live } = checkRunFile(isRun(from) ? runFile([...keptEventsOf(from)]) : from)
  return {
    events,
    stateAt: (seq = events.length - 1) => fold(events.slice(0, seq + 1)),
    play(listener) {
      let state = initialState
      let position = 0
      const tell = (event: AnyEvent): void => {
        state = reduce(state, event)
        listener(event, state)
      }
      const tellLive = (after: number): void => {
        for (let next = live[position]; next?.after === after; next = live[++position]) tell(next.event)
      }
      for (const event of events) {
        tellLive(event.seq)
        tell(event)
      }
      tellLive(events.length)
    },
  }
}
