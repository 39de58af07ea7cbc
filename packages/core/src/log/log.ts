import { reportLater } from '../error.ts'
import { type AnyEvent, type Event, type EventBody, isKept, type LiveEvent } from '../event.ts'
import type { Host } from '../host.ts'
import type { Durability, Journal, JournalEngine, RunWriter } from '../journal.ts'
import { fold, reduce } from '../reduce.ts'
import type { Listener } from '../run.ts'
import type { RunState } from '../state.ts'

/** The events of one run that executes here: their feed and their journal. */
export interface Log extends Omit<Feed, 'tell' | 'rewind'> {
  /** What only runs that outlive their page need. */
  readonly engine: JournalEngine | undefined
  emit(event: EventBody): void
  live(event: LiveEvent): void
  /** Makes this the owner of the run in the journal, immediately and not with the next write. */
  claim(): void
  durable(durability?: Durability): Promise<void> | undefined
  /**
   * Ignores all later events, and rejects their waiters with this reason. Resolves once the journal has accepted or refused what there is;
   * nothing is written after that.
   */
  close(reason: Error): Promise<void> | undefined
  /** The number of events that the journal has; all of them if there is no journal. */
  readonly durableSeq: number
  /** Calls back each time when the journal has taken a write. Returns what ends it. */
  onRecovered(callback: () => void): () => void
  /** The number of failed writes. */
  readonly failures: number
  /** The number of the failed write that this error reports, from 1; 0 for any other error. */
  failureOf(error: unknown): number
  /** Calls back each time when a write fails. Returns what ends it. */
  onFailed(callback: (error: unknown) => void): () => void
}

interface LogOptions {
  readonly host: Host
  readonly journal: Journal | undefined
  /** The state after the durable events. */
  readonly state: RunState
  readonly events: readonly Event[]
  /** Of a run without a journal. */
  readonly engine?: JournalEngine | undefined
}

export function createLog({ host, journal, engine, ...past }: LogOptions): Log {
  const feed = createFeed(past)
  const writer = journal?.engine.write({ journal, runId: () => feed.state.runId, durableSeq: past.state.seq })
  const { events, tell, subscribe } = feed
  let closed: Error | undefined

  const methods: Omit<Log, keyof Live> = {
    engine: journal?.engine ?? engine,
    events,
    subscribe,
    emit(body) {
      if (closed) return
      const { state } = feed
      const iteration = body.type === 'thought' ? state.iteration + 1 : state.iteration
      const event: Event = { seq: state.seq, at: host.now(), iteration, ...body }
      writer?.add(event)
      tell(event)
    },
    live: tell,
    claim: () => writer?.claim(),
    durable: (durability) => (closed ? Promise.reject(closed) : writer?.durable(durability)),
    close(reason) {
      closed = reason
      return writer?.close()
    },
    onRecovered: (callback) => writer?.onWritten(callback) ?? (() => {}),
    failureOf: (error) => writer?.failureOf(error) ?? 0,
    onFailed: (callback) => writer?.onFailed(callback) ?? (() => {}),
  }
  return withState(methods, { feed, writer })
}

interface Parts {
  readonly feed: Feed
  readonly writer: RunWriter | undefined
}

type Live = Pick<Log, 'state' | 'durableSeq' | 'failures'>

const withState = liveProperties<Parts, Live>({
  state: ({ feed }) => feed.state,
  durableSeq: ({ feed, writer }) => writer?.durableSeq ?? feed.state.seq,
  failures: ({ writer }) => writer?.failures ?? 0,
})

/** The events of one run: their state and their listeners. */
export interface Feed {
  readonly state: RunState
  readonly events: readonly Event[]
  /** Adds the next event and notifies listeners. `state` is the state after it, if it is already known. */
  tell(event: AnyEvent, state?: RunState): void
  /** Discards all but the first `to` events. The correct events follow. `state` is their fold, if it is known. */
  rewind(to: number, state?: RunState): void
  subscribe(listener: Listener): () => void
}

export function createFeed(past: Pick<Feed, 'state' | 'events'>): Feed {
  const events: Event[] = [...past.events]
  let listeners: readonly Listener[] = []
  let telling = false
  const untold: [AnyEvent, RunState][] = []

  const deliver = (event: AnyEvent, then: RunState): void => {
    for (const listener of listeners) {
      try {
        listener(event, then)
      } catch (error) {
        reportLater(error)
      }
    }
  }
  /**
   * Delivers events in order. If a listener causes another event, it is delivered after all listeners have received the
   * first.
   */
  const hear = (event: AnyEvent, state: RunState): void => {
    feed.state = state
    if (listeners.length === 0) return
    if (telling) {
      untold.push([event, state])
      return
    }
    telling = true
    deliver(event, state)
    for (let next = untold.shift(); next; next = untold.shift()) deliver(...next)
    telling = false
  }

  const feed: Feed & { state: RunState } = {
    state: past.state,
    events,
    tell(event, state = reduce(feed.state, event)) {
      if (isKept(event)) events.push(event)
      hear(event, state)
    },
    rewind(to, state) {
      events.length = to
      hear({ type: 'rewound', to }, state ?? fold(events))
    },
    subscribe(given) {
      // The same function may listen twice, and end only one of the two.
      const listener: Listener = (event, state) => given(event, state)
      listeners = [...listeners, listener]
      return () => {
        listeners = listeners.filter((other) => other !== listener)
      }
    },
  }
  return feed
}

const source = Symbol('source')

/**
 * Creates a function that gives an object properties which read from a source at each access. The getters are shared:
 * getters in object literals would give each object its own hidden class, which engines keep, with everything in scope,
 * until a full garbage collection. `self` is the receiver, which may derive from the created object.
 */
/* @__NO_SIDE_EFFECTS__ */
export function liveProperties<Source, Live extends object>(
  readers: { readonly [Key in keyof Live]: (from: Source, self: unknown) => Live[Key] },
): <Plain extends object>(plain: Plain, from: Source) => Plain & Readonly<Live> {
  const getters = (Object.keys(readers) as (keyof Live)[]).map((key) => {
    const read = readers[key]
    function get(this: { readonly [source]: Source }): Live[keyof Live] {
      return read(this[source], this)
    }
    return [key, { enumerable: true, get }] as const
  })
  return <Plain extends object>(plain: Plain, from: Source) => {
    const object = Object.assign(plain, { [source]: from })
    for (const [key, getter] of getters) Object.defineProperty(object, key, getter)
    return object as Plain & Readonly<Live>
  }
}
