import type { Event, Json, RunState } from '@interleave/core'
import { fold, reduce } from '@interleave/core/internal'
import { type AnyEvent, isKept, type LiveEvent } from '@interleave/core/observe'

/** A run as it was observed: its log, and its live events, which the log does not have. */
export interface RunLog {
  readonly events: readonly Event[]
  /** Live observations of turns, by their number. */
  readonly turns: ReadonlyMap<number, TurnNotes>
  /** The latest preliminary output of each tool call that is still running, by its key. */
  readonly progress: ReadonlyMap<string, Json>
  /** The time of the last event, in milliseconds since the epoch; 0 before. */
  readonly updatedAt: number
  /** True for a past run, which gets no more events. */
  readonly isStill: boolean
}

export interface TurnNotes {
  readonly startedAt: number
  readonly firstTokenAt?: number
  /** Set if observation began later than the turn, so the time of its first token is unknown. */
  readonly isJoined?: true
  readonly retries: readonly RetryNote[]
}
export type RetryNote = Omit<Retrying, 'type'> & { readonly at: number }
type Retrying = Extract<LiveEvent, { readonly type: 'retrying' }>

export const emptyLog: RunLog = { events: [], turns: new Map(), progress: new Map(), updatedAt: 0, isStill: false }

/** Returns the log of past events, without live observations. */
export const logOf = (events: readonly Event[]): RunLog => ({
  ...emptyLog,
  events,
  updatedAt: events.at(-1)?.at ?? 0,
  isStill: true,
})

/** Records the events of a run. */
export class LogRecorder {
  readonly #events: Event[] = []
  readonly #turns: Map<number, TurnNotes>
  readonly #progress = new Map<string, Json>()
  #updatedAt = 0
  #isStill = false
  #snapshot = emptyLog
  /** The turn that streams, or the next one. */
  #turn = 1

  /** `turns` are earlier observations of the same run. */
  constructor(turns: RunLog['turns'] = emptyLog.turns) {
    this.#turns = new Map(turns)
  }

  /** Records an event; `now` is the time of live ones, which have none. Returns true if that changes the display. */
  record(event: AnyEvent, now: number): boolean {
    this.#updatedAt = Math.max(this.#updatedAt, isKept(event) ? event.at : now)
    if (!isKept(event)) return this.#recordLive(event, now)
    this.#events.push(event)
    if (event.type === 'thought') this.#turn = event.iteration + 1
    if (event.type === 'observed') this.#progress.delete(event.call)
    return true
  }

  /** Records that a turn is already streaming, since about that time. */
  join(iteration: number, startedAt: number): void {
    this.#turn = iteration
    if (!this.#turns.has(iteration)) this.#turns.set(iteration, { startedAt, retries: [], isJoined: true })
  }

  /** Records that no more events will arrive. */
  complete(): void {
    this.#isStill = true
  }

  /** Returns an immutable snapshot of the log. Its unchanged parts are the same objects as before. */
  snapshot(): RunLog {
    const { events, turns, progress } = this.#snapshot
    this.#snapshot = {
      events: isSameList(events, this.#events) ? events : [...this.#events],
      turns: isSameMap(turns, this.#turns) ? turns : new Map(this.#turns),
      progress: isSameMap(progress, this.#progress) ? progress : new Map(this.#progress),
      updatedAt: this.#updatedAt,
      isStill: this.#isStill,
    }
    return this.#snapshot
  }

  #recordLive(event: LiveEvent, now: number): boolean {
    const turn = this.#turns.get(this.#turn)
    switch (event.type) {
      case 'thinking':
        this.#turn = event.iteration
        this.#note({}, now)
        return true
      case 'delta':
        if (turn?.firstTokenAt !== undefined || turn?.isJoined) return false
        this.#note({ firstTokenAt: now }, now)
        return true
      case 'retrying': {
        const { type: _, ...retry } = event
        const { startedAt = now, retries = [] } = turn ?? {}
        // A later attempt has its own first token.
        this.#turns.set(this.#turn, { startedAt, retries: [...retries, { ...retry, at: now }] })
        return true
      }
      case 'progressed':
        this.#progress.set(event.call, event.output)
        return true
      case 'rewound':
        this.#rewind(event.to)
        return true
      default:
        return false
    }
  }

  #note(change: Partial<TurnNotes>, now: number): void {
    this.#turns.set(this.#turn, { startedAt: now, retries: [], ...this.#turns.get(this.#turn), ...change })
  }

  #rewind(to: number): void {
    this.#events.length = Math.min(this.#events.length, to)
    this.#turn = (this.#events.findLast(({ type }) => type === 'thought')?.iteration ?? 0) + 1
    for (const turn of this.#turns.keys()) if (turn >= this.#turn) this.#turns.delete(turn)
    this.#progress.clear()
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
/** The longest prefix of each log that was reduced, by its first event. */
const reduced = new WeakMap<Event, Known>()

/** Returns the state after a log. It continues from the last result, so a growing log costs only its new events. */
export function stateOf(events: readonly Event[]): RunState {
  const [[first], last] = [events, events.at(-1)]
  if (!first || !last) return fold(events)
  const known = reduced.get(first)
  // The same event at the same position comes after the same events.
  const continues = known && events[known.length - 1] === known.last
  const state = continues ? events.slice(known.length).reduce<RunState>(reduce, known.state) : fold(events)
  if (continues || !known || events.length > known.length) reduced.set(first, { length: events.length, last, state })
  return state
}
