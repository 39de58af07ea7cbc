import { type AnyEvent, type Event, isKept, type LiveEvent } from '../event.ts'
import { checkRunFile, type RunFile, runFile } from '../journal/runFile.ts'
import { fold, reduce } from '../reduce.ts'
import type { Listener, Observer } from '../run.ts'
import { hideReasoning, isRun, keptEventsOf } from '../runEvents.ts'
import { initialState, type RunState } from '../state.ts'

export interface Recorder extends Observer {
  /** Everything since the recorder was attached, as plain JSON. Attach it at the start of a run. */
  export(): RunFile
}

/**
 * Records the events of a run for later viewing, as an observer. For a run with hidden thoughts it records the run's
 * own `events()`.
 */
export function recorder({ live: keepLive = false }: { live?: boolean } = {}): Recorder {
  const events: Event[] = []
  const live: { after: number; event: LiveEvent }[] = []
  let hidden = false
  const hide = hideReasoning({ mayCall: true })
  const keep = (event: AnyEvent): void => {
    if (event.type === 'rewound') events.length = Math.min(events.length, event.to)
    if (isKept(event)) events.push(event)
    else if (keepLive) live.push({ after: events.length, event })
  }
  return {
    onEvent(event: AnyEvent, { exposeReasoning }: RunState) {
      hidden = exposeReasoning === false
      if (hidden) hide(event).forEach(keep)
      else keep(event)
    },
    export: () => runFile([...events], { live: [...live], ...(hidden && { thoughts: false }) }),
  }
}

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
