import { fold, reduce } from '../changes/all.ts'
import { draftEvents, joinLive } from '../draft.ts'
import { type AnyEvent, type Event, isKept } from '../event.ts'
import { Listeners } from '../log/log.ts'
import type { EventSource, Journaled, OpenRun } from '../log/openRun.ts'
import type { EventOf, Listener, Run } from '../run.ts'
import { failed } from '../signal.ts'
import type { RunState } from '../state.ts'

/** The part of a run that may cross a boundary: the fold of its durable events, plus live events. */
export interface ShownRun extends Pick<Run, 'subscribe'> {
  /** The fold of `log`. */
  readonly state: RunState
  /** The events that the journal has. The list grows. */
  readonly log: readonly Event[]
  /** The failure while the journal rejects writes. Listeners get `rewound` once the journal accepts writes again. */
  readonly fault: EventOf<'settled'> | undefined
  /** The events and the failure together, for `eventsOf`. */
  readonly source: EventSource
}

const shown = new WeakMap<Run, ShownRun>()

/** Returns the part of a run that clients may see: everything, unless it executes here with a journal. */
export function shownRun(run: OpenRun): ShownRun {
  const known = shown.get(run)
  if (known) return known
  const { journaled } = run
  const made = journaled ? new JournaledView(run, journaled) : new WholeView(run)
  shown.set(run, made)
  return made
}

/** A view of the whole run, without what is known only here. */
class WholeView implements ShownRun {
  readonly source: OpenRun

  constructor(run: OpenRun) {
    this.source = run
  }

  get log(): readonly Event[] {
    const { log, localFailure } = this.source
    return localFailure ? log.slice(0, localFailure.state.seq) : log
  }

  get state(): RunState {
    return this.source.localFailure?.state ?? this.source.state
  }

  get fault(): EventOf<'settled'> | undefined {
    return this.source.localFailure?.fault
  }

  subscribe(listener: Listener): () => void {
    return this.source.subscribe((event, state) => {
      if (event.type !== 'sending') listener(event, state.sending ? this.state : state)
    })
  }
}

/** The events of a view and its failure. */
class FaultySource implements EventSource {
  readonly mayCall: boolean
  readonly #view: ShownRun

  constructor(view: ShownRun, { mayCall = true }: OpenRun) {
    this.#view = view
    this.mayCall = mayCall
  }

  get state(): RunState {
    const { state, fault } = this.#view
    return fault ? reduce(state, fault) : state
  }

  get log(): readonly Event[] {
    const { log, fault } = this.#view
    return fault ? [...log, fault] : log
  }

  subscribe(listener: Listener): () => void {
    return this.#view.subscribe(listener)
  }
}

/** The part of a run that the journal has. */
class JournaledView implements ShownRun {
  state: RunState
  fault: EventOf<'settled'> | undefined = undefined
  readonly log: Event[]
  readonly source: EventSource
  readonly #run: Run
  readonly #journaled: Journaled
  /** Events in order from the first that is not in the journal, each with the state after it. */
  readonly #held: [AnyEvent, RunState][] = []
  readonly #listeners: Listeners = new Listeners()

  constructor(run: OpenRun, journaled: Journaled) {
    const { durableSeq, past, log, state: current } = journaled
    this.#run = run
    this.#journaled = journaled
    this.source = new FaultySource(this, run)
    this.log = log.filter(({ seq }) => seq < durableSeq)
    if (current.seq <= durableSeq) this.state = current
    else {
      const since = this.log.filter(({ seq }) => seq >= past.seq)
      let state = fold(since, past)
      this.state = state
      for (const event of log.slice(this.log.length)) {
        state = reduce(state, event)
        this.#held.push([event, state])
      }
      for (const event of draftEvents(current.draft)) this.#held.push([event, current])
    }
    if (current.saving) this.state = { ...this.state, saving: current.saving }
    journaled.subscribe((event, then) => this.#take(event, then))
    journaled.onRecovered(() => this.#release())
    journaled.onFailed((error) => this.#fail(error))
  }

  subscribe(listener: Listener): () => void {
    return this.#listeners.add(listener)
  }

  #take(event: AnyEvent, then: RunState): void {
    // It is of the journal, and not of a position of the log.
    if (event.type === 'saving') {
      this.state = { ...this.state, saving: event.trouble }
      this.#listeners.publish(event, this.state)
      return
    }
    const waits = this.#held.length > 0 || this.fault || (isKept(event) && event.seq >= this.#journaled.durableSeq)
    if (!waits) {
      this.#show(event, then)
      return
    }
    const last = this.#held.at(-1)
    const joined = last && joinLive(last[0], event)
    if (last && joined) this.#held[this.#held.length - 1] = [joined, then]
    else this.#held.push([event, then])
  }

  #release(): void {
    this.#endFault()
    for (let next = this.#held[0]; next; next = this.#held[0]) {
      if (isKept(next[0]) && next[0].seq >= this.#journaled.durableSeq) return
      this.#held.shift()
      this.#show(...next)
    }
  }

  #show(event: AnyEvent, then: RunState): void {
    if (isKept(event)) this.log.push(event)
    const { saving } = this.state
    this.state = then.saving === saving ? then : { ...then, saving }
    this.#listeners.publish(event, this.state)
  }

  /** Handles a write failure. While the run works, it appears in the run's signal. */
  #fail(error: unknown): void {
    const { signal: last, updatedAt: at } = this.#run.state
    if (!last) return
    this.#endFault()
    const { seq, iteration } = this.state
    const signal = last.type === 'failed' ? last : failed(error, 'journal_failed')
    this.fault = { seq, at, iteration, type: 'settled', signal }
    this.#listeners.publish(this.fault, reduce(this.state, this.fault))
  }

  #endFault(): void {
    if (!this.fault) return
    this.fault = undefined
    this.#listeners.publish({ type: 'rewound', to: this.state.seq }, this.state)
  }
}
