import { AgentError } from '../error.ts'
import { type AnyEvent, type Event, isKept, type LiveEvent } from '../event.ts'
import { checkRunFile, type RunFile, runFile } from '../journal/runFile.ts'
import { copyJson } from '../json.ts'
import { isRun, type OpenRun } from '../log/openRun.ts'
import { hideReasoning } from '../log/runEvents.ts'
import { assertOption } from '../options.ts'
import { fold, reduce } from '../reduce.ts'
import type { Listener, Run } from '../run.ts'
import type { Signal } from '../signal.ts'
import { initialState, type RunState } from '../state.ts'

export interface Recorder extends Listener {
  /** Everything since the recorder was attached, as plain JSON. Attach it at the start of a run. */
  export(): RunFile
}

/** Records the events of a run, as an observer. Hidden thoughts are not recorded. */
export function recorder({ live: keepLive = false }: { live?: boolean } = {}): Recorder {
  const events: Event[] = []
  const live: { readonly after: number; readonly event: LiveEvent }[] = []
  let hidden = false
  const hide = hideReasoning({ mayCall: true })
  const keep = (event: AnyEvent): void => {
    if (event.type === 'rewound') {
      events.length = Math.min(events.length, event.to)
      // They would not be in the order of the events that follow. This event itself discards their effect.
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
    // The run has these events too.
    export: () => runFile(copyJson(events), { live: copyJson(live), ...(hidden && { thoughts: false }) }),
  })
}

/** A recorded run that is played again. No model is called and no tool runs. */
export interface Replay {
  readonly events: readonly Event[]
  /** The state after the last event, or after the event with this `seq`. */
  stateAt(seq?: number): RunState
  /** Plays every event in order, live ones in their places. Attach observers to it as to a run. */
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

export interface PastRunOptions {
  /** The `seq` of the last event that has happened; by default that of the last there is. */
  readonly at?: number
}

/**
 * Returns a read-only run at an earlier event, for anything that shows a run. `say`, `reply` and `stop` reject,
 * `resume` throws, and listeners receive nothing. `settled` stays pending if the run had not settled then.
 *
 * The events are those of a run in memory. A file is validated first: throws `log_invalid`. Two positions of one log
 * share the objects that did not change in between.
 *
 * @example
 * <Conversation run={pastRun(events, { at: 7 })} />
 */
export function pastRun(of: readonly Event[] | RunFile, { at }: PastRunOptions = {}): Run {
  const all = 'format' in of ? checkRunFile(of).events : of
  const last = at ?? all.length - 1
  assertOption(all[last], `pastRun({ at: ${last} }): the log has events from 0 to ${all.length - 1}.`)
  const events = all.slice(0, last + 1)
  const state = stateAfter(events)
  return new StillRun(state, events, { isOfFile: 'format' in of })
}

interface Place {
  readonly event: Event
  readonly state: RunState
}
/** The states of a log that were asked for, by its first event, so that a walk through the log folds it once. */
const known = new WeakMap<Event, Place[]>()

function stateAfter(events: readonly Event[]): RunState {
  const [first] = events
  if (!first) return fold(events)
  const places = known.get(first) ?? []
  known.set(first, places)
  const changed = events.findIndex((event, index) => places[index] !== undefined && places[index].event !== event)
  if (changed >= 0) places.length = changed
  let state = places[Math.min(places.length, events.length) - 1]?.state ?? initialState
  for (const event of events.slice(places.length)) {
    state = reduce(state, event)
    places.push({ event, state })
  }
  return state
}

/** Returns a read-only run that shows a state, for `messagesOf`, hooks and components. It takes no messages. */
export const stillRun = (state: RunState): Run => new StillRun(state, [], { base: state })

/** A run at one position. */
class StillRun implements OpenRun {
  readonly id: string
  readonly state: RunState
  readonly log: readonly Event[]
  readonly settled: Promise<Signal>
  readonly isStill = true
  readonly base: RunState | undefined
  readonly isOfFile: boolean

  constructor(
    state: RunState,
    log: readonly Event[],
    { base, isOfFile = false }: Pick<OpenRun, 'base' | 'isOfFile'> = {},
  ) {
    this.id = state.runId
    this.state = state
    this.log = log
    this.settled = state.rest ? Promise.resolve(state.rest) : new Promise<Signal>(() => {})
    this.base = base
    this.isOfFile = isOfFile
  }

  subscribe(): () => void {
    return () => {}
  }

  async say(): Promise<void> {
    throw isPast()
  }

  async reply(): Promise<void> {
    throw isPast()
  }

  async disallow(): Promise<void> {
    throw isPast()
  }

  async stop(): Promise<void> {
    throw isPast()
  }

  resume(): void {
    throw isPast()
  }
}

const isPast = (): AgentError =>
  new AgentError(
    'options_invalid',
    'This run is shown as it was and cannot change. Continue from here with fork(agent, run).',
  )
