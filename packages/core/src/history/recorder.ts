import { checkOptions } from '#checks'
import { fold, reduce } from '../changes/all.ts'
import { type AnyEvent, type Event, isKept, type LiveEvent } from '../event.ts'
import { checkRunFile, type RunFile, runFile } from '../journal/runFile.ts'
import { copyJson } from '../json.ts'
import { isRun } from '../log/openRun.ts'
import { hideReasoning } from '../log/runEvents.ts'
import type { Listener } from '../run.ts'
import { initialState, type RunState } from '../state.ts'

export interface Recorder extends Listener {
  /** Everything since the recorder was attached, as plain JSON. Attach it at the start of a run. */
  export(): RunFile
}

/** Records the events of a run, as an observer. Hidden thoughts are not recorded. */
export function recorder(options: { live?: boolean } = {}): Recorder {
  checkOptions('recorder()', options, ['live'])
  const { live: keepLive = false } = options
  const events: Event[] = []
  const live: { readonly after: number; readonly event: LiveEvent }[] = []
  let hidden = false
  const hide = hideReasoning({ mayCall: true })
  const keep = (event: AnyEvent): void => {
    if (event.type === 'rewound') {
      events.length = Math.min(events.length, event.to)
      // Later live events would be out of order. This event itself discards their effect.
      while ((live.at(-1)?.after ?? 0) > events.length) live.pop()
    }
    if (isKept(event)) events.push(event)
    else if (keepLive) live.push({ after: events.length, event })
  }
  const record: Listener = (event, { exposeReasoning }) => {
    hidden = exposeReasoning === false
    if (hidden) hide(event).forEach(keep)
    else keep(event)
  }
  return Object.assign(record, {
    // Copied, since the run shares these events.
    export: () => runFile(copyJson(events), { live: copyJson(live), ...(hidden && { thoughts: false }) }),
  })
}

/** A recorded run that is played again. No model is called and no tool runs. */
export interface Replay {
  readonly events: readonly Event[]
  /** The state after the last event, or after the event with this `seq`. */
  stateAt(seq?: number): RunState
  /** Plays every event in order, live ones included. Attach observers to it as to a run. */
  play(listener: Listener): void
}

/** Opens the file of a run, or the run itself as it is now. Throws `log_invalid` for an invalid file. */
export function replay(from: unknown): Replay {
  const { events, live } = checkRunFile(isRun(from) ? runFile([...from.log]) : from)
  return {
    events,
    stateAt: (seq = events.length - 1) => fold(events.slice(0, seq + 1)),
    play(listener) {
      let state = initialState
      let position = 0
      const emit = (event: AnyEvent): void => {
        state = reduce(state, event)
        listener(event, state)
      }
      const emitLive = (after: number): void => {
        for (let next = live[position]; next?.after === after; next = live[++position]) emit(next.event)
      }
      for (const event of events) {
        emitLive(event.seq)
        emit(event)
      }
      emitLive(events.length)
    },
  }
}
