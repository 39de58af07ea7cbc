import type { Event, EventBody, LiveEvent } from './event.ts'
import { createFeed, type Feed } from './feed.ts'
import type { Host } from './host.ts'
import type { Durability, Journal, RunWriter } from './journal.ts'
import { liveProperties } from './liveProperties.ts'
import type { RunState } from './state.ts'

/** The events of one run that executes here: their feed and their journal. */
export interface Log extends Omit<Feed, 'tell' | 'rewind'> {
  emit(event: EventBody): void
  live(event: LiveEvent): void
  /** Makes this the owner of the run in the journal, immediately and not with the next write. */
  claim(): void
  durable(durability?: Durability): Promise<void> | undefined
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

export interface LogOptions {
  readonly host: Host
  readonly journal: Journal | undefined
  /** The state after the durable events. */
  readonly state: RunState
  readonly events: readonly Event[]
}

export function createLog({ host, journal, ...past }: LogOptions): Log {
  const feed = createFeed(past)
  const writer = journal?.engine.write({ journal, runId: () => feed.state.runId, durableSeq: past.state.seq })
  const { events, tell, subscribe } = feed

  const methods: Omit<Log, keyof Live> = {
    events,
    subscribe,
    emit(body) {
      const { state } = feed
      const iteration = body.type === 'thought' ? state.iteration + 1 : state.iteration
      const event: Event = { seq: state.seq, at: host.now(), iteration, ...body }
      writer?.add(event)
      tell(event)
    },
    live: tell,
    claim: () => writer?.claim(),
    durable: (durability) => writer?.durable(durability),
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
