import type { Ask, Event, GivenContent, Host, Listener, Run, RunState, Signal, UserContent } from '@interleave/core'
import { AgentError } from '@interleave/core'
import {
  bindMethods,
  type Command,
  checkMessage,
  checkResume,
  Feed,
  initialState,
  isBlank,
  type OpenRun,
  plainContent,
  reportLater,
  type SayOptions,
  type Stray,
  stopReason,
  toJson,
} from '@interleave/core/internal'
import { isKept } from '@interleave/core/observe'
import { Outbox } from './outbox.ts'

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
