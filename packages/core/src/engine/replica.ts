import { draftEvents, joinLive } from '../draft.ts'
import { AgentError, reportLater } from '../error.ts'
import { type AnyEvent, type Event, isKept } from '../event.ts'
import type { Host } from '../host.ts'
import { toJson } from '../json.ts'
import { Feed, Listeners } from '../log/log.ts'
import { bindMethods, type EventSource, type Journaled, type OpenRun, type Stray } from '../log/openRun.ts'
import { type GivenContent, isBlank, plainContent, type UserContent } from '../part.ts'
import type { Ask } from '../question.ts'
import { fold, reduce } from '../reduce.ts'
import type { EventOf, Listener, Run, SayOptions } from '../run.ts'
import { failed, type Signal } from '../signal.ts'
import { initialState, type RunState } from '../state.ts'
import type { Command } from '../validate/command.ts'
import { Outbox } from './outbox.ts'
import { checkMessage, checkResume, stopReason } from './rest.ts'

export interface MirrorOptions {
  readonly id: string
  /** The log and state known so far. */
  readonly past?: Pick<Run, 'state' | 'log'> | undefined
  /** Names messages, and says when they were sent. */
  readonly host: Pick<Host, 'newId' | 'now'>
  /** Sends a command to where the run executes. Returns the length of the log then; the feed has those events first. */
  send(command: Command, signal?: AbortSignal): Promise<number>
  /** Resolves when the latest events are durable. If undefined, they already are. */
  readonly kept?: (() => PromiseLike<unknown> | undefined) | undefined
}

/** A run that executes elsewhere. Its creator passes the events to its feed. */
export class MirrorRun<Output> implements OpenRun<Output> {
  readonly id: string
  readonly feed: Feed
  private readonly options: MirrorOptions
  private readonly outbox: Outbox
  /** The message that started the run here. `sent` resolves when its host has it. */
  private begun: { readonly key: string; readonly sent: Promise<unknown> } | undefined
  /** The number of commands that are not done, or not known to be done here. */
  private open = 0
  /** The callbacks that check again whether the events they wait for have arrived. */
  private readonly waiting: Set<() => void> = new Set()

  constructor(options: MirrorOptions) {
    const { id, past } = options
    this.id = id
    this.options = options
    this.feed = new Feed(past ?? { state: { ...initialState, runId: id }, log: [] })
    const { feed } = this
    this.outbox = new Outbox(feed.log, (messages) => {
      feed.tell({ type: 'sending', messages }, feed.state)
      this.look()
    })
    feed.subscribe(({ type }) => (type === 'said' || type === 'rewound') && this.outbox.look())
    // A rewind may end a rest.
    this.feed.subscribe((event) => (isKept(event) || event.type === 'rewound') && this.look())
    bindMethods(this, 'subscribe', 'say', 'reply', 'disallow', 'stop', 'resume', 'withdraw')
  }

  get state(): RunState {
    return this.outbox.show(this.feed.state)
  }

  get log(): readonly Event[] {
    return this.feed.log
  }

  /** Resolves with the next signal after all commands from here. */
  get settled(): Promise<Signal<Output>> {
    return this.nextSignal() as Promise<Signal<Output>>
  }

  get stray(): Stray | undefined {
    return this.outbox.isEmpty ? undefined : { state: this.feed.state, fault: undefined }
  }

  subscribe(listener: Listener): () => void {
    // `feed.subscribe` rejects a value that is not a function.
    const isListener = typeof listener === 'function'
    return this.feed.subscribe(isListener ? (event, state) => listener(event, this.outbox.show(state)) : listener)
  }

  async say(content: GivenContent, given: SayOptions = {}): Promise<void> {
    const { key = this.options.host.newId(), replaces, now } = given
    checkMessage(content, given)
    if (key === this.begun?.key) return void (await this.begun.sent)
    const plain = isBlank(content) ? '' : plainContent(content)
    const options = { ...(replaces !== undefined && { replaces }), ...(now && { now }) }
    const command = { type: 'say', content: plain, key, ...options } as const
    const { rest } = this.state
    const waits = (!rest || rest.type === 'inputNeeded') && { waits: true as const }
    const replacing = replaces !== undefined && { replaces }
    const message = { key, at: this.options.host.now(), content: plain, ...replacing, ...waits }
    const isIn = (event: Event): boolean => event.type === 'said' && event.key === key
    await this.commanded(() => this.outbox.hold(message, isIn, (signal) => this.send(command, signal)))
  }

  /** Shows the message that starts the run, until the log has it. */
  startWith<T>(content: UserContent, key: string, start: (signal: AbortSignal) => PromiseLike<T>): Promise<T> {
    const isIn = ({ type }: Event): boolean => type === 'said'
    const sent = this.outbox.hold({ key, at: this.options.host.now(), content }, isIn, start)
    this.begun = { key, sent }
    return sent
  }

  /** Withdraws a message that is `sending`: its `say` rejects. */
  withdraw(key: string): void {
    this.outbox.withdraw(key, new AgentError('stopped', 'The message was withdrawn.'))
  }

  /** Stops showing messages as `sending`: no event follows that would show that one was sent. */
  endSending(): void {
    this.outbox.close()
  }

  async reply(asked: Ask | string, value: unknown): Promise<void> {
    const ask = typeof asked === 'string' ? asked : asked.id
    const command = { type: 'reply', ask, value: toJson(value), after: this.state.seq } as const
    await this.commanded(() => this.send(command))
  }

  async disallow(id: string): Promise<void> {
    await this.commanded(() => this.send({ type: 'disallow', id }))
  }

  async stop(reason?: string): Promise<void> {
    await this.commanded(() => this.send({ type: 'stop', reason: stopReason(reason) }))
  }

  resume(): void {
    checkResume(this.state)
    // The run shows its own failures.
    this.commanded(() => this.send({ type: 'resume' })).catch(reportLater)
  }

  /** Sends a command. Resolves when it is done at the host, and known here. */
  private async send(command: Command, signal?: AbortSignal): Promise<void> {
    const length = await this.options.send(command, signal)
    await this.until(() => this.state.seq >= length || undefined)
  }

  private async commanded(act: () => Promise<void>): Promise<void> {
    this.open++
    try {
      await act()
    } finally {
      this.open--
      this.look()
    }
  }

  private async nextSignal(): Promise<Signal> {
    for (;;) {
      const rest = await this.until(() => (this.open === 0 ? this.state.rest : undefined))
      await this.options.kept?.()
      // A signal that did not become durable is taken back, so the run does not settle with it.
      const isTold = this.state.rest === rest || this.log.some((event) => 'signal' in event && event.signal === rest)
      if (isTold) return rest
    }
  }

  private until<T>(ready: () => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const tryNow = (): void => {
        const value = ready()
        if (value === undefined) return
        this.waiting.delete(tryNow)
        resolve(value)
      }
      this.waiting.add(tryNow)
      tryNow()
    })
  }

  private look(): void {
    for (const each of this.waiting) each()
  }
}

/** The part of a run that may cross a boundary: the fold of its durable events, plus live events. */
export interface ShownRun extends Pick<Run, 'subscribe'> {
  /** The fold of `log`. */
  readonly state: RunState
  /** The events that the journal has. The list grows. */
  readonly log: readonly Event[]
  /** The failure while the journal rejects writes. Listeners get `rewound` once the journal accepts writes again. */
  readonly fault: EventOf<'rested'> | undefined
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
    const { log, stray } = this.source
    return stray ? log.slice(0, stray.state.seq) : log
  }

  get state(): RunState {
    return this.source.stray?.state ?? this.source.state
  }

  get fault(): EventOf<'rested'> | undefined {
    return this.source.stray?.fault
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
  fault: EventOf<'rested'> | undefined = undefined
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
    journaled.subscribe((event, then) => this.#take(event, then))
    journaled.onRecovered(() => this.#release())
    journaled.onFailed((error) => this.#fail(error))
  }

  subscribe(listener: Listener): () => void {
    return this.#listeners.add(listener)
  }

  #take(event: AnyEvent, then: RunState): void {
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
    this.state = then
    this.#listeners.tell(event, then)
  }

  /** Handles a write failure. While the run works, it appears in the run's signal. */
  #fail(error: unknown): void {
    const { rest, updatedAt: at } = this.#run.state
    if (!rest) return
    this.#endFault()
    const { seq, iteration } = this.state
    const signal = rest.type === 'failed' ? rest : failed(error, 'journal_failed')
    this.fault = { seq, at, iteration, type: 'rested', signal }
    this.#listeners.tell(this.fault, reduce(this.state, this.fault))
  }

  #endFault(): void {
    if (!this.fault) return
    this.fault = undefined
    this.#listeners.tell({ type: 'rewound', to: this.state.seq }, this.state)
  }
}
