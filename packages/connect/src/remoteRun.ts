import type {
  AgentHandle,
  Ask,
  Event,
  Host,
  Listener,
  Run,
  RunState,
  Signal,
  ToolSet,
  UserContent,
} from '@interleave/core'
import { AgentError } from '@interleave/core'
import {
  askId,
  bindMethods,
  type Command,
  type ConnectionState,
  checkMessage,
  checkResume,
  Feed,
  type HandleOptions,
  initialState,
  isBlank,
  type LocalFailure,
  type OpenRun,
  type Owner,
  plainContent,
  reportLater,
  type SayOptions,
  stopReason,
  toJson,
} from '@interleave/core/internal'
import { isKept } from '@interleave/core/observe'
import type { EventBody } from '@interleave/core/steps'
import { Outbox } from './outbox.ts'

/** A run that executes elsewhere: in another tab, in a worker, or on a server. */
export interface RemoteRun<Output = unknown, Tools extends ToolSet = ToolSet> extends Run<Output, Tools> {
  /** The tab that executes it, if it is shared by `acrossTabs()`. Each change is emitted as the live event `owned`. */
  readonly owner: Owner | undefined
  /** The connection to the server, for a run on a server. Each change is emitted as the live event `connection`. */
  readonly connection: ConnectionState | undefined
  /**
   * Closes the run in this page. A worker or server continues it. A tab that executes it stops, and another tab that has
   * it open takes it over. `resume` opens it again. This object settles with `stopped`, unless the run is settled.
   */
  close(): void
  /**
   * Withdraws a message of `state.sending`, by its key: its `say` rejects. If its host has it already, the log shows
   * it.
   */
  withdraw(key: string): void
}

/** An agent whose runs execute elsewhere. */
export interface RemoteAgent<Output = unknown, Tools extends ToolSet = ToolSet> extends AgentHandle<Output, Tools> {
  start(input: UserContent, options?: HandleOptions): RemoteRun<Output, Tools>
  /** Opens a run that is alive there, or in the journal there. Returns the same object until it is closed. */
  resume(runId: string, options?: Pick<HandleOptions, 'observers'>): Promise<RemoteRun<Output, Tools>>
}

/** The tools of an agent, for the types of its messages. */
export type ToolTypesOf<A> = A extends { readonly toolTypes?: infer Tools extends ToolSet } ? Tools : ToolSet

export type OutputOf<A> = A extends AgentHandle<infer Output> ? Output : never

export interface MirrorOptions {
  readonly id: string
  /** The log and state known so far. */
  readonly past?: Pick<Run, 'state' | 'log'> | undefined
  /** The ids and times of messages. */
  readonly host: Pick<Host, 'newId' | 'now'>
  /** Sends a command to the host of the run. Returns the length of the log then; the feed has those events first. */
  send(command: Command, signal?: AbortSignal): Promise<number>
  /** Resolves when the latest events are durable. If undefined, they already are. */
  readonly kept?: () => PromiseLike<unknown> | undefined
  readonly onClose?: () => void
}

/** A run that executes elsewhere. Its creator passes the events to its feed. */
export class MirrorRun<Output> implements OpenRun<Output>, RemoteRun<Output> {
  readonly id: string
  readonly feed: Feed
  owner: Owner | undefined
  connection: ConnectionState | undefined
  /** The signal that ended it here, which is in no journal. */
  fault: LocalFailure | undefined
  /** True once no event follows. */
  isOver = false
  /** True while the known events are from before an error that ended them. */
  #isStale = false
  readonly #options: MirrorOptions
  readonly #outbox: Outbox
  /** The message that started the run here. `sent` resolves when its host has it. */
  #begun: { readonly key: string; readonly sent: Promise<unknown> } | undefined
  /** The number of commands that are not done, or not known to be done here. */
  #open = 0
  /** The callbacks that check again whether the events they wait for have arrived. */
  readonly #waiting: Set<() => void> = new Set()

  constructor(options: MirrorOptions) {
    const { id, past } = options
    this.id = id
    this.#options = options
    this.feed = new Feed(past ?? { state: { ...initialState, runId: id }, log: [] })
    const { feed } = this
    this.#outbox = new Outbox(feed.log, (messages) => {
      feed.publish({ type: 'sending', messages }, feed.state)
      this.#checkWaiting()
    })
    feed.subscribe(({ type }) => (type === 'said' || type === 'rewound') && this.#outbox.refresh())
    // A rewind may remove a signal.
    this.feed.subscribe((event) => (isKept(event) || event.type === 'rewound') && this.#checkWaiting())
    bindMethods(this, 'subscribe', 'say', 'reply', 'revoke', 'stop', 'resume', 'withdraw', 'close')
  }

  get state(): RunState {
    return this.#outbox.show(this.feed.state)
  }

  get log(): readonly Event[] {
    return this.feed.log
  }

  /** Resolves with the next signal after all commands of this page. */
  get settled(): Promise<Signal<Output>> {
    return this.#nextSignal() as Promise<Signal<Output>>
  }

  get localFailure(): LocalFailure | undefined {
    return this.fault ?? (this.#outbox.isEmpty ? undefined : { state: this.feed.state, fault: undefined })
  }

  subscribe(listener: Listener): () => void {
    // `feed.subscribe` rejects a value that is not a function.
    const isListener = typeof listener === 'function'
    return this.feed.subscribe(isListener ? (event, state) => listener(event, this.#outbox.show(state)) : listener)
  }

  async say(content: UserContent, given: SayOptions = {}): Promise<void> {
    checkMessage(content, given)
    const { key = this.#options.host.newId(), replaces, now } = given
    if (key === this.#begun?.key) return void (await this.#begun.sent)
    const plain = isBlank(content) ? '' : plainContent(content)
    const options = { ...(replaces !== undefined && { replaces }), ...(now && { now }) }
    const command = { type: 'say', content: plain, key, ...options } as const
    const { signal } = this.state
    const waits = (!signal || signal.type === 'inputNeeded') && { waits: true as const }
    const replacing = replaces !== undefined && { replaces }
    const message = { key, at: this.#options.host.now(), content: plain, ...replacing, ...waits }
    const isIn = (event: Event): boolean => event.type === 'said' && event.key === key
    await this.#commanded(() => this.#outbox.hold(message, isIn, (signal) => this.#send(command, signal)))
  }

  /** Shows the message that starts the run, until the log has it. */
  startWith<T>(content: UserContent, key: string, start: (signal: AbortSignal) => PromiseLike<T>): Promise<T> {
    const isIn = ({ type }: Event): boolean => type === 'said'
    const sent = this.#outbox.hold({ key, at: this.#options.host.now(), content }, isIn, start)
    this.#begun = { key, sent }
    return sent
  }

  /** Withdraws a message that is `sending`: its `say` rejects. */
  withdraw(key: string): void {
    this.#outbox.withdraw(key, new AgentError('stopped', 'The message was withdrawn.'))
  }

  close(): void {
    this.#options.onClose?.()
  }

  /** Adds an event that is known only here. */
  addEvent(body: EventBody): void {
    const { seq, iteration } = this.feed.state
    this.feed.publish({ seq, at: this.#options.host.now(), iteration, ...body })
  }

  /** Resolves when this much of the log is known here, or no event follows. */
  async reachLength(length: number): Promise<void> {
    await this.#until(() => this.isOver || (!this.#isStale && this.feed.state.seq >= length) || undefined)
  }

  /** Ends all waits for events, since none follows. Messages are not shown as `sending` any more. */
  endFollowing(): void {
    this.isOver = true
    this.#outbox.close()
    this.#checkWaiting()
  }

  /** Begins again after `endFollowing`. What is known here is shown until the first event arrives. */
  followAgain(): void {
    this.isOver = false
    this.#isStale = true
    this.#outbox.reopen()
  }

  /** True until the host sends all events again, so that those that are known do not count. */
  get isStale(): boolean {
    return this.#isStale
  }

  /** Takes the known events back, as the host sends all of them again. */
  restart(): void {
    if (!this.#isStale) return
    this.#isStale = false
    this.fault = undefined
    this.feed.rewind(0)
  }

  async reply(asked: Ask | string, value: unknown): Promise<void> {
    const ask = askId(asked)
    const command = { type: 'reply', ask, value: toJson(value), after: this.state.seq } as const
    await this.#commanded(() => this.#send(command))
  }

  async revoke(id: string): Promise<void> {
    await this.#commanded(() => this.#send({ type: 'revoke', id }))
  }

  async stop(reason?: string): Promise<void> {
    await this.#commanded(() => this.#send({ type: 'stop', reason: stopReason(reason), after: this.state.seq }))
  }

  resume(): void {
    checkResume(this.state)
    // The run shows its own failures.
    this.#commanded(() => this.#send({ type: 'resume', after: this.state.seq })).catch(reportLater)
  }

  /** Sends a command. Resolves when it is done at the host, and known here. */
  async #send(command: Command, signal?: AbortSignal): Promise<void> {
    await this.reachLength(await this.#options.send(command, signal))
  }

  async #commanded(act: () => Promise<void>): Promise<void> {
    this.#open++
    try {
      await act()
    } finally {
      this.#open--
      this.#checkWaiting()
    }
  }

  async #nextSignal(): Promise<Signal> {
    for (;;) {
      const signal = await this.#until(() => (this.#open === 0 ? this.state.signal : undefined))
      await this.#options.kept?.()
      // A signal that did not become durable is taken back, so the run does not settle with it.
      const isValid =
        this.state.signal === signal || this.log.some((event) => 'signal' in event && event.signal === signal)
      if (isValid) return signal
    }
  }

  #until<T>(ready: () => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const tryNow = (): void => {
        const value = ready()
        if (value === undefined) return
        this.#waiting.delete(tryNow)
        resolve(value)
      }
      this.#waiting.add(tryNow)
      tryNow()
    })
  }

  #checkWaiting(): void {
    for (const each of this.#waiting) each()
  }
}

/** Creates the error of a handle that was closed in this process. The run may continue elsewhere. */
export const closed = (): AgentError =>
  new AgentError('stopped', 'This run was closed here. Open it again with resume().')

const observing = new WeakMap<object, WeakSet<Listener>>()

/** Attaches each observer once, even if a run is opened again, for example by a component that is mounted again. */
export function observeOnce(run: Pick<Run, 'subscribe'>, observers: readonly Listener[]): void {
  const known = observing.get(run) ?? new WeakSet()
  observing.set(run, known)
  for (const observer of observers) {
    if (known.has(observer)) continue
    known.add(observer)
    run.subscribe(observer)
  }
}
