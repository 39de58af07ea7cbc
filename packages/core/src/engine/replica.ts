import { draftEvents, joinLive } from '../draft.ts'
import { reportLater } from '../error.ts'
import { type AnyEvent, type Event, isKept } from '../event.ts'
import { toJson } from '../json.ts'
import { createFeed, type Feed, liveProperties } from '../log/log.ts'
import { observe } from '../log/observe.ts'
import {
  eventsOf,
  type Filter,
  hideReasoning,
  keptEventsOf,
  type Source,
  strayOf,
  type Written,
  withKeptEvents,
  writtenOf,
} from '../log/runEvents.ts'
import { type GivenContent, plainContent } from '../part.ts'
import type { Ask } from '../question.ts'
import { reduce } from '../reduce.ts'
import type { EventOf, Listener, Run, SayOptions } from '../run.ts'
import { failed, type Signal } from '../signal.ts'
import { initialState, type RunState } from '../state.ts'
import type { Command } from '../validate/command.ts'
import { checkMessage, checkResume } from './rest.ts'

/** A view of a run that executes elsewhere. Its creator passes the events to its feed. */
interface Mirror<Output> {
  readonly run: Run<Output>
  readonly feed: Feed
}

interface MirrorOptions {
  readonly id: string
  /** The events and state known so far. */
  readonly past?: Pick<Feed, 'state' | 'events'>
  /** Names messages. */
  readonly newId: () => string
  /**
   * Sends a command to where the run executes. Returns the length of the log at that time; the feed receives earlier
   * events first.
   */
  send(command: Command): Promise<number>
  /** Resolves when the latest events are durable. If undefined, they already are. */
  readonly kept?: (() => PromiseLike<unknown> | undefined) | undefined
}

export function createMirror<Output>({ id, past, newId, send, kept }: MirrorOptions): Mirror<Output> {
  const feed = createFeed(past ?? { state: { ...initialState, runId: id }, events: [] })
  const ask = createAsker(feed, { send, kept })
  const methods: Omit<Run<Output>, keyof Progress> = {
    subscribe: feed.subscribe,
    events: (options) => eventsOf(feed, { ...options, filter: () => filterOf(feed) }),
    observe: (observer) => observe(feed, observer),
    async say(content: GivenContent, { key = newId() }: SayOptions = {}) {
      checkMessage(content)
      await ask.send({ type: 'say', content: plainContent(content), key })
    },
    async reply(asked: Ask | string, value: unknown) {
      const id = typeof asked === 'string' ? asked : asked.id
      await ask.send({ type: 'reply', ask: id, value: toJson(value), after: feed.state.seq })
    },
    stop: (reason = 'Stopped.') => ask.send({ type: 'stop', reason }),
    resume() {
      checkResume(feed.state)
      // What goes wrong shows itself in the run.
      ask.send({ type: 'resume' }).catch(reportLater)
    },
  }
  const run = withProgress(methods, { id, feed, settled: ask.settled }) as Run<Output>
  return { run: withKeptEvents(run, feed.events), feed }
}

type Progress = Pick<Run, 'id' | 'state' | 'settled'>
interface ReplicaSource {
  readonly id: string
  readonly feed: Feed
  settled(): Promise<Signal>
}

const withProgress = liveProperties<ReplicaSource, Progress>({
  id: ({ id }) => id,
  state: ({ feed }) => feed.state,
  settled: ({ settled }) => settled(),
})

/** Assumes that a remote agent's turns may call tools, since that is unknown here. */
const filterOf = ({ state }: Feed): Filter | undefined =>
  state.exposeReasoning === false ? hideReasoning({ mayCall: true }) : undefined

interface Asker {
  /** Resolves when it is done there, and known here. */
  send(command: Command): Promise<void>
  /** Resolves with the next signal after all commands from here. */
  settled(): Promise<Signal>
}

function createAsker(feed: Feed, { send, kept }: Pick<MirrorOptions, 'send' | 'kept'>): Asker {
  let open = 0
  const waiting = new Set<() => void>()
  // What is taken back may leave the rest before.
  feed.subscribe((event) => (isKept(event) || event.type === 'rewound') && look())

  const look = (): void => {
    for (const each of waiting) each()
  }
  const until = <T>(ready: () => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      const tryNow = (): void => {
        const value = ready()
        if (value === undefined) return
        waiting.delete(tryNow)
        resolve(value)
      }
      waiting.add(tryNow)
      tryNow()
    })

  return {
    async send(command) {
      open++
      try {
        const length = await send(command)
        await until(() => feed.state.seq >= length || undefined)
      } finally {
        open--
        look()
      }
    },
    async settled() {
      for (;;) {
        const rest = await until(() => (open === 0 ? feed.state.rest : undefined))
        await kept?.()
        // What was not kept is taken back, and is no rest.
        const isTold =
          feed.state.rest === rest || feed.events.some((event) => 'signal' in event && event.signal === rest)
        if (isTold) return rest
      }
    },
  }
}

/**
 * The part of a run that may cross a boundary into a page, a response or another process: the fold of the durable
 * events, plus live events. The run itself may be ahead of it by what is being written.
 */
export interface ShownRun extends Pick<Run, 'subscribe' | 'events'> {
  /** The fold of `kept`. */
  readonly state: RunState
  /** The events that the journal has. The list grows. */
  readonly kept: readonly Event[]
  /**
   * The failure while the journal rejects writes. Listeners receive it after the durable events, and `rewound` once the
   * journal accepts writes again.
   */
  readonly fault: EventOf<'rested'> | undefined
}

const shown = new WeakMap<Run, ShownRun>()

/**
 * Returns the part of a run that may be shown to clients. For a run without a journal, or a remote run, that is
 * everything.
 */
export function shownRun(run: Run): ShownRun {
  const known = shown.get(run)
  if (known) return known
  const written = writtenOf(run)
  const made = written ? new WrittenView(run, written) : whole(run)
  shown.set(run, made)
  return made
}

const whole = (run: Run): ShownRun => ({
  get kept() {
    const events = keptEventsOf(run)
    const stray = strayOf(run)
    return stray ? events.slice(0, stray.state.seq) : events
  },
  get state() {
    return strayOf(run)?.state ?? run.state
  },
  get fault() {
    return strayOf(run)?.fault
  },
  subscribe: (listener) => run.subscribe(listener),
  events: (options) => run.events(options),
})

class WrittenView implements ShownRun {
  state: RunState
  fault: EventOf<'rested'> | undefined
  readonly kept: Event[]
  readonly #run: Run
  readonly #log: Written['log']
  readonly #filter: Written['filter']
  /** Events in order from the first that is not in the journal, each with the state after it. */
  #held: [AnyEvent, RunState][] = []
  #listeners: readonly Listener[] = []

  constructor(run: Run, { log, base, filter }: Written) {
    this.#run = run
    this.#log = log
    this.#filter = filter
    this.kept = log.events.filter(({ seq }) => seq < log.durableSeq)
    if (log.state.seq <= log.durableSeq) this.state = log.state
    else {
      let state = this.kept.filter(({ seq }) => seq >= base.seq).reduce<RunState>(reduce, base)
      this.state = state
      for (const event of log.events.slice(this.kept.length)) {
        state = reduce(state, event)
        this.#held.push([event, state])
      }
      for (const event of draftEvents(log.state.draft)) this.#held.push([event, log.state])
    }
    log.subscribe((event, then) => this.#take(event, then))
    log.onRecovered(() => this.#release())
    log.onFailed((error) => this.#fail(error))
  }

  subscribe(given: Listener): () => void {
    const listener: Listener = (event, state) => given(event, state)
    this.#listeners = [...this.#listeners, listener]
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== listener)
    }
  }

  events(options: Parameters<Run['events']>[0]): AsyncIterable<AnyEvent> {
    const view = this
    const source: Source = {
      get state() {
        return view.fault ? reduce(view.state, view.fault) : view.state
      },
      get events() {
        return view.fault ? [...view.kept, view.fault] : view.kept
      },
      subscribe: (listener) => view.subscribe(listener),
    }
    return eventsOf(source, { ...options, filter: this.#filter })
  }

  #take(event: AnyEvent, then: RunState): void {
    const waits = this.#held.length > 0 || this.fault || (isKept(event) && event.seq >= this.#log.durableSeq)
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
      if (isKept(next[0]) && next[0].seq >= this.#log.durableSeq) return
      this.#held.shift()
      this.#show(...next)
    }
  }

  #show(event: AnyEvent, then: RunState): void {
    if (isKept(event)) this.kept.push(event)
    this.state = then
    this.#tell(event, then)
  }

  /** Handles a write failure. While the run works, it appears in the run's signal. */
  #fail(error: unknown): void {
    const { rest, updatedAt: at } = this.#run.state
    if (!rest) return
    this.#endFault()
    const { seq, iteration } = this.state
    const signal = rest.type === 'failed' ? rest : failed(error, 'journal_failed')
    this.fault = { seq, at, iteration, type: 'rested', signal }
    this.#tell(this.fault, reduce(this.state, this.fault))
  }

  #endFault(): void {
    if (!this.fault) return
    this.fault = undefined
    this.#tell({ type: 'rewound', to: this.state.seq }, this.state)
  }

  #tell(event: AnyEvent, state: RunState): void {
    for (const listener of this.#listeners) {
      try {
        listener(event, state)
      } catch (error) {
        reportLater(error)
      }
    }
  }
}
