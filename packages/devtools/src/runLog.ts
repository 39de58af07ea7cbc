import type { Event, Json, RunState } from '@interleave/core'
import { type AnyEvent, fold, isKept, type LiveEvent, reduce } from '@interleave/core/observe'

/** A run as it was watched: its log, and what was seen of it that no log keeps. */
export interface RunLog {
  readonly events: readonly Event[]
  /** Live observations of turns, by their number. */
  readonly turns: ReadonlyMap<number, TurnNotes>
  /** The latest preliminary output of each tool call that is still running, by its key. */
  readonly progress: ReadonlyMap<string, Json>
  /** The time of the last event, in milliseconds since the epoch; 0 before. */
  readonly toldAt: number
  /** Nothing more will come: it is shown as it was. */
  readonly isStill: boolean
}

export interface TurnNotes {
  readonly startedAt: number
  readonly firstTokenAt?: number
  /** Observation began later than the turn, so the time of its first token is unknown. */
  readonly isJoined?: true
  readonly retries: readonly RetryNote[]
}
export type RetryNote = Omit<Retrying, 'type'> & { readonly at: number }
type Retrying = Extract<LiveEvent, { readonly type: 'retrying' }>

/** Takes down what a run tells. */
export interface LogKeeper {
  /** `now` is for what is not kept, which has no time of its own. Gives whether there is anything new to show. */
  tell(event: AnyEvent, now: number): boolean
  /** There is a turn that streams already, since about then. */
  join(iteration: number, startedAt: number): void
  /** Nothing more will come. */
  end(): void
  /** Takes over what was seen of turns before. */
  recall(turns: RunLog['turns']): void
  /** Returns an immutable snapshot of the log. Its unchanged parts are the same objects as before. */
  read(): RunLog
}

export const emptyLog: RunLog = { events: [], turns: new Map(), progress: new Map(), toldAt: 0, isStill: false }

/** The log of what is already there, without anything that was seen live. */
export const logOf = (events: readonly Event[]): RunLog => ({
  ...emptyLog,
  events,
  toldAt: events.at(-1)?.at ?? 0,
  isStill: true,
})

export function createLogKeeper(): LogKeeper {
  const events: Event[] = []
  const turns = new Map<number, TurnNotes>()
  const progress = new Map<string, Json>()
  let toldAt = 0
  let isStill = false
  let shown: RunLog = emptyLog
  /** The turn that streams now, or is next. */
  let turn = 1

  const note = (change: Partial<TurnNotes>, now: number): void => {
    turns.set(turn, { startedAt: now, retries: [], ...turns.get(turn), ...change })
  }
  const retry = ({ type: _, ...tried }: Retrying, at: number): void => {
    const { startedAt = at, retries = [] } = turns.get(turn) ?? {}
    turns.set(turn, { startedAt, retries: [...retries, { ...tried, at }] })
  }
  const keep = (event: Event): void => {
    events.push(event)
    if (event.type === 'thought') turn = event.iteration + 1
    if (event.type === 'observed') progress.delete(event.call)
  }
  const rewind = (to: number): void => {
    events.length = Math.min(events.length, to)
    turn = (events.findLast(({ type }) => type === 'thought')?.iteration ?? 0) + 1
    for (const seen of turns.keys()) if (seen >= turn) turns.delete(seen)
    progress.clear()
  }
  const hear = (event: LiveEvent, now: number): boolean => {
    switch (event.type) {
      case 'thinking':
        turn = event.iteration
        note({}, now)
        return true
      case 'delta':
        if (turns.get(turn)?.firstTokenAt !== undefined || turns.get(turn)?.isJoined) return false
        note({ firstTokenAt: now }, now)
        return true
      case 'retrying':
        retry(event, now)
        return true
      case 'progressed':
        progress.set(event.call, event.output)
        return true
      case 'rewound':
        rewind(event.to)
        return true
      case 'dropped':
      case 'owned':
      case 'linked':
        return false
    }
  }

  return {
    tell(event, now) {
      toldAt = Math.max(toldAt, isKept(event) ? event.at : now)
      if (!isKept(event)) return hear(event, now)
      keep(event)
      return true
    },
    join(iteration, startedAt) {
      turn = iteration
      if (!turns.has(turn)) turns.set(turn, { startedAt, retries: [], isJoined: true })
    },
    end() {
      isStill = true
    },
    recall(seen) {
      for (const [iteration, notes] of seen) turns.set(iteration, notes)
    },
    read() {
      shown = {
        events: isSameList(shown.events, events) ? shown.events : [...events],
        turns: isSameMap(shown.turns, turns) ? shown.turns : new Map(turns),
        progress: isSameMap(shown.progress, progress) ? shown.progress : new Map(progress),
        toldAt,
        isStill,
      }
      return shown
    },
  }
}

/** Returns true if both lists end with the same event. */
const isSameList = (a: readonly Event[], b: readonly Event[]): boolean => a.length === b.length && a.at(-1) === b.at(-1)

const isSameMap = <Value>(a: ReadonlyMap<unknown, Value>, b: ReadonlyMap<unknown, Value>): boolean =>
  a.size === b.size && [...b].every(([key, value]) => a.get(key) === value)

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
