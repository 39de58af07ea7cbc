import type { AnyEvent, Event, EventBody, LiveEvent } from './event.ts'
import type { Host } from './host.ts'
import type { Durability, Journal } from './journal.ts'
import { reduce } from './reduce.ts'
import { reportLater } from './reportLater.ts'
import type { Listener } from './run.ts'
import type { RunState } from './state.ts'
import { createWriter } from './writer.ts'

/** The events of one run: the state they give, those who listen, and the journal that keeps them. */
export interface Log {
  readonly state: RunState
  readonly events: readonly Event[]
  emit(event: EventBody): void
  live(event: LiveEvent): void
  /** Makes this the owner of the run in the journal, at once and not with the next write. */
  claim(): void
  durable(durability?: Durability): Promise<void> | undefined
  subscribe(listener: Listener): () => void
}

export interface LogOptions {
  readonly host: Host
  readonly journal: Journal | undefined
  /** What is already kept. */
  readonly state: RunState
  readonly events: readonly Event[]
}

export function createLog({ host, journal, state: initial, events: kept }: LogOptions): Log {
  const events: Event[] = [...kept]
  let listeners: readonly Listener[] = []
  const writer = journal && createWriter(journal, () => log.state.runId)
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
  /** A listener may act on an event at once. What comes of that is told when everybody has heard of the event itself. */
  const tell = (event: AnyEvent): void => {
    log.state = reduce(log.state, event)
    if (telling) {
      untold.push([event, log.state])
      return
    }
    telling = true
    deliver(event, log.state)
    for (let next = untold.shift(); next; next = untold.shift()) deliver(...next)
    telling = false
  }

  const log: Log & { state: RunState } = {
    state: initial,
    events,
    emit(body) {
      const { state } = log
      const iteration = body.type === 'thought' ? state.iteration + 1 : state.iteration
      const event: Event = { seq: state.seq, at: host.now(), iteration, ...body }
      events.push(event)
      writer?.add(event)
      tell(event)
    },
    live: tell,
    claim: () => writer?.claim(log.state.seq),
    durable: (durability) => writer?.durable(durability),
    subscribe(given) {
      // The same function may listen twice, and end only one of the two.
      const listener: Listener = (event, state) => given(event, state)
      listeners = [...listeners, listener]
      return () => {
        listeners = listeners.filter((other) => other !== listener)
      }
    },
  }
  return log
}
