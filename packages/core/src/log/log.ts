import { DEV } from '#checks'
import { together } from '../change.ts'
import { addLive } from '../draft.ts'
import { reportLater, reportRejection } from '../error.ts'
import { type AnyEvent, type Event, type EventBody, isKept, type LiveEvent } from '../event.ts'
import type { Host } from '../host.ts'
import type { Durability, Journal, JournalEngine, RunWriter } from '../journal.ts'
import { assertOption, isTime } from '../options.ts'
import { kernelChanges, reduce } from '../reduce.ts'
import type { Listener, Run } from '../run.ts'
import type { Changes, RunState } from '../state.ts'

/** The number of events that wait at most: two texts that grow in turns cannot be merged. */
const mostLive = 100

/** The events of one run: their state and their listeners. */
export class Events {
  /** The durable events. The list grows, and shrinks when a feed is rewound. */
  readonly log: Event[]
  readonly #listeners: Listeners = new Listeners()
  /** The state before the events in `live`. */
  #state: RunState
  /** The latest events, if the state after them has not been read yet. */
  readonly #live: AnyEvent[] = []
  #changes: Changes

  constructor({ state, log }: Pick<Run, 'state' | 'log'>, changes: Changes) {
    this.#state = state
    this.log = [...log]
    this.#changes = changes
  }

  get state(): RunState {
    if (this.#live.length > 0) {
      for (const event of this.#live) this.#state = reduce(this.#state, event, this.#changes)
      this.#live.length = 0
    }
    return this.#state
  }

  /** The state as of the log. Its draft may be an earlier one. */
  protected get stateOfLog(): RunState {
    return this.#state
  }

  /** Adds the next event, and passes it to listeners. `state` is the state after it, if it is already known. */
  publish(event: AnyEvent, state?: RunState): void {
    const isNeeded = this.#listeners.needState || this.#live.length === mostLive
    if (isKept(event) || state || isNeeded) {
      // Live events change only the draft, and a turn ends that.
      if (state || event.type === 'thought') this.#live.length = 0
      this.#state = state ?? reduce(this.state, event, this.#changes)
    } else addLive(this.#live, event)
    if (isKept(event)) this.log.push(event)
    this.#listeners.publish(event, this.#state)
  }

  subscribe(listener: Listener): () => void {
    return this.#listeners.add(listener)
  }

  protected addChanges(changes: Changes): void {
    this.#changes = together(this.#changes, changes)
  }
}

interface LogOptions extends Pick<Run, 'state' | 'log'> {
  readonly host: Host
  readonly journal: Journal | undefined
  /** The engine of a run without a journal. */
  readonly engine?: JournalEngine | undefined
}

/** The events of one run that executes here: their feed and their journal. */
export class Log extends Events {
  /** The parts that only runs that outlive their page need. */
  readonly engine: JournalEngine | undefined
  /** The run's first state here: the fold of the events that the journal had. */
  readonly past: RunState
  readonly #host: Host
  readonly #writer: RunWriter | undefined
  readonly #learned = new Set<Changes>()
  #closed: Error | undefined = undefined

  constructor({ host, journal, engine: given, ...past }: LogOptions) {
    const engine = journal?.engine ?? given
    super(past, engine?.changes ?? kernelChanges)
    this.engine = engine
    this.past = past.state
    this.#host = host
    this.#writer = journal?.engine.write({
      ...{ journal, host, runId: () => this.state.runId, durableSeq: past.state.seq },
      onSaving: (trouble) => this.live({ type: 'saving', ...(trouble && { trouble }) }),
    })
  }

  /** The number of events that the journal has; all of them if there is no journal. */
  get durableSeq(): number {
    return this.#writer?.durableSeq ?? this.state.seq
  }

  get failures(): number {
    return this.#writer?.failures ?? 0
  }

  emit(body: EventBody): void {
    if (this.#closed) return
    const { seq, iteration } = this.stateOfLog
    const event: Event = {
      seq,
      at: timeOf(this.#host),
      iteration: body.type === 'thought' ? iteration + 1 : iteration,
      ...body,
    }
    this.#writer?.add(event)
    this.publish(event)
  }

  /** Learns the changes of a capability, before its first event. An engine knows all. */
  learn(changes: Changes): void {
    if (this.engine || this.#learned.has(changes)) return
    this.#learned.add(changes)
    this.addChanges(changes)
  }

  live(event: LiveEvent): void {
    this.publish(event)
  }

  /** Makes this the owner of the run in the journal, immediately and not with the next write. */
  claim(): void {
    this.#writer?.claim()
  }

  /** Resolves when every event so far is durable; undefined if all of them are. */
  durable(durability?: Durability): Promise<void> | undefined {
    return this.#closed ? Promise.reject(this.#closed) : this.#writer?.durable(durability)
  }

  /** Rejects for those who wait for the journal now, if its writes fail. They are still tried again. */
  release(): void {
    this.#writer?.release()
  }

  /**
   * Ignores all later events. Resolves once the journal has all events so far, and rejects if it rejects them for now.
   */
  close(reason: Error): Promise<void> | undefined {
    this.#closed = reason
    return this.#writer?.close()
  }

  /** Calls back each time when the journal has accepted a write. Returns a function that ends this. */
  onRecovered(callback: () => void): () => void {
    return this.#writer?.onWritten(callback) ?? (() => {})
  }

  /** Calls back each time when a write fails. Returns a function that ends this. */
  onFailed(callback: (error: unknown) => void): () => void {
    return this.#writer?.onFailed(callback) ?? (() => {})
  }

  /** The number of the failed write that this error reports, from 1; 0 for any other error. */
  failureOf(error: unknown): number {
    return this.#writer?.failureOf(error) ?? 0
  }
}

/** Returns the time of an event. A log with an invalid one could not be read again. */
function timeOf(host: Host): number {
  const now: unknown = host.now()
  assertOption(isTime(now), DEV && 'The host must return milliseconds from `now()`.')
  return now
}

/** A listener that may say that it ignores the state: it is then computed when it is read, and not after each delta. */
export type StatelessListener = Listener & { readonly ignoresState?: boolean | undefined }

interface Listening extends Pick<StatelessListener, 'ignoresState'> {
  readonly listener: Listener
}

/** The listeners of a run, or of a view of it. They receive its events in order. */
export class Listeners {
  readonly #all = new Set<Listening>()
  /** The listeners that an event is delivered to: those of the time when it is published. */
  #present: readonly Listening[] | undefined = undefined
  #needingState = 0
  #isPublishing = false
  /** Events that a listener caused, while other listeners have not received the previous one. */
  readonly #queue: [AnyEvent, RunState][] = []

  /** True if the next event needs the state after it. One that has to wait may get new listeners. */
  get needState(): boolean {
    return this.#needingState > 0 || this.#isPublishing
  }

  /** Adds a listener. Returns a function that removes it. */
  add(listener: StatelessListener): () => void {
    assertOption(typeof listener === 'function', DEV && notListener)
    const { ignoresState } = listener
    // The same function may listen twice, and end only one of the two subscriptions.
    const listening: Listening = { listener, ignoresState }
    this.#all.add(listening)
    this.#present = undefined
    if (!ignoresState) this.#needingState++
    return () => {
      if (!this.#all.delete(listening)) return
      this.#present = undefined
      if (!ignoresState) this.#needingState--
    }
  }

  /** Delivers an event. If a listener causes another one, it follows when all listeners have received the first. */
  publish(event: AnyEvent, state: RunState): void {
    if (this.#all.size === 0) return
    if (this.#isPublishing) {
      this.#queue.push([event, state])
      return
    }
    this.#isPublishing = true
    this.#deliver(event, state)
    while (this.#queue.length > 0) this.#deliver(...(this.#queue.shift() as [AnyEvent, RunState]))
    this.#isPublishing = false
  }

  #deliver(event: AnyEvent, state: RunState): void {
    this.#present ??= [...this.#all]
    for (const { listener } of this.#present) {
      try {
        reportRejection(listener(event, state))
      } catch (error) {
        reportLater(error)
      }
    }
  }
}

const notListener = 'A listener must be a function. For hooks, use observer() of @interleave/core/observe.'
