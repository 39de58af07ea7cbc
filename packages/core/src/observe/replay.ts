import { AgentError } from '../error.ts'
import type { AnyEvent, Event } from '../event.ts'
import { fold, reduce } from '../reduce.ts'
import type { Listener } from '../run.ts'
import { initialState, type RunState } from '../state.ts'
import type { DebugBundle } from './recorder.ts'

/** A recorded run, told again. No model is asked and no tool runs. */
export interface Replay {
  readonly events: readonly Event[]
  /** The state after the last event, or after the event with this `seq`. */
  stateAt(seq?: number): RunState
  /** Tells every event in order, live ones in their places. Attach observers to it as to a run. */
  play(listener: Listener): void
}

/** Opens a bundle: a file from elsewhere, so it is checked first. */
export function replay(bundle: unknown): Replay {
  const { events, live } = checkBundle(bundle)
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

function checkBundle(bundle: unknown): DebugBundle {
  const { format, formatVersion, events } = (bundle ?? {}) as Partial<DebugBundle>
  if (format !== 'interleave.debug') throw invalid('it is not a debug bundle')
  if (formatVersion !== 1) throw invalid(`its format is version ${String(formatVersion)}, and this reads version 1`)
  if (!Array.isArray(events) || events.length === 0) throw invalid('it has no events')
  events.forEach((event: Partial<Event> | null, index) => {
    if (event?.seq !== index || typeof event.type !== 'string')
      throw invalid(`event ${index} is missing or out of order`)
  })
  if (events[0].type !== 'started') throw invalid('it does not begin with the start of a run')
  return { ...(bundle as DebugBundle), live: (bundle as DebugBundle).live ?? [] }
}

const invalid = (why: string): AgentError =>
  new AgentError('state_invalid', `The debug bundle cannot be opened: ${why}.`)
