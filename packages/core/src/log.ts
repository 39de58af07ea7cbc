import { AgentError, isAgentError, messageOf } from './error.ts'
import type { AnyEvent, Event, EventBody, LiveEvent } from './event.ts'
import type { Host } from './host.ts'
import type { Journal } from './journal.ts'
import { reduce } from './reduce.ts'
import { reportLater } from './reportLater.ts'
import type { Listener } from './run.ts'
import type { RunState } from './state.ts'

/** The events of one run: the state they give, those who listen, and the journal that keeps them. */
export interface Log {
  readonly state: RunState
  readonly events: readonly Event[]
  emit(event: EventBody): void
  live(event: LiveEvent): void
  durable(): Promise<void> | undefined
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
  let unsaved: Event[] = []
  let telling = false
  const untold: [AnyEvent, RunState][] = []
  let saving: Promise<void> | undefined

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

  /** What is emitted in one go is written in one go: a turn costs a write or two, not one per event. */
  const save = async (target: Journal): Promise<void> => {
    await undefined
    while (unsaved.length > 0) {
      const batch = unsaved
      unsaved = []
      try {
        await target.append(log.state.runId, batch)
      } catch (error) {
        unsaved = [...batch, ...unsaved]
        throw asJournalError(error)
      }
    }
  }

  const log: Log & { state: RunState } = {
    state: initial,
    events,
    emit(body) {
      const { state } = log
      const iteration = body.type === 'thought' ? state.iteration + 1 : state.iteration
      const event: Event = { seq: state.seq, at: host.now(), iteration, ...body }
      events.push(event)
      if (journal) unsaved.push(event)
      tell(event)
    },
    live: tell,
    durable() {
      if (!journal || (unsaved.length === 0 && !saving)) return undefined
      saving ??= save(journal).finally(() => {
        saving = undefined
      })
      return saving
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
  return log
}

const asJournalError = (error: unknown): AgentError =>
  isAgentError(error)
    ? error
    : new AgentError('journal_failed', `The journal could not be written: ${messageOf(error)}`, {
        cause: error,
        retryable: true,
      })
