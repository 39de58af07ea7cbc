import { AgentError, type Event, localHost, type Run, type RunState } from '@interleave/core'
import {
  applyCommand,
  type Command,
  durable,
  fromFailure,
  handOver,
  liveEventsOf,
  type Owner,
  Queues,
  reportLater,
  type ShownRun,
  sameJson,
  shownRun,
  takeoverOf,
} from '@interleave/core/internal'
import type { AnyEvent } from '@interleave/core/observe'
import type { RemoteRun } from './remoteRun.ts'

type Reply = Extract<Command, { readonly type: 'reply' }>

/** The number of events of the log that are sent together: a page stays responsive while it reads a long log. */
const chunk = 200

/** Applies commands to a run, each once. */
export class CommandQueue {
  readonly #events: () => readonly Event[]
  /** The pending replies, by question. Each is compared with the log after the previous one is durable or has failed. */
  readonly #replies = new Queues()

  constructor(events: () => readonly Event[]) {
    this.#events = events
  }

  /** Applies a command, also a repeated one. A reply answers the question as the client saw it. */
  applyCommand(run: Run, command: Command): Promise<void> {
    if (command.type === 'reply') return this.#replies.run(command.ask, () => this.#reply(run, command))
    // What had failed was only the sender's part of it.
    if (command.type === 'resume' && !mayResume(run.state)) return durable(run)
    const done = doneBefore(this.#events(), command)
    return done ? durable(run, done.seq + 1) : applyCommand(run, command)
  }

  async #reply(run: Run, command: Reply): Promise<void> {
    const { ask, value, after } = command
    const earlier = this.#events().find((event) => event.type === 'replied' && event.ask === ask && event.seq >= after)
    if (earlier?.type !== 'replied') return applyCommand(run, command)
    if (sameJson(earlier.value, value)) return durable(run, earlier.seq + 1)
    throw new AgentError('ask_unknown', `The question "${ask}" was answered meanwhile.`)
  }
}

const mayResume = ({ signal }: RunState): boolean => signal?.type === 'failed' || signal?.type === 'stopped'

/**
 * Returns the event of a stop or a resumption that is done already. A sender without an answer repeats it, and by then
 * the user may have said something else.
 */
export function doneBefore(events: readonly Event[], command: Command): Event | undefined {
  if (command.type !== 'stop' && command.type !== 'resume') return undefined
  const { after = Number.POSITIVE_INFINITY } = command
  const isDone = (event: Event): boolean =>
    command.type === 'resume' ? event.type === 'resumed' : isStop(event, command.reason)
  return events.find((event) => event.seq >= after && isDone(event))
}

const isStop = (event: Event, reason: string): boolean =>
  event.type === 'settled' && event.signal.type === 'stopped' && event.signal.reason === reason

/** The number of events that a client has of a log, and the time of the last one. */
export interface LogPosition {
  readonly length: number
  readonly at: number
}

/** A run that executes here, as its owner serves it to clients: they see durable events, and live events after them. */
export class OwnedRun {
  readonly run: Run
  readonly view: ShownRun
  readonly #commands: CommandQueue
  readonly #listeners = new Set<(event?: AnyEvent) => void>()
  readonly #unsubscribe: () => void
  /** True once another owner resumed it, or it was deleted. */
  isOver = false

  /** `onSettled` is called each time that the run has settled. */
  constructor(run: Run, onSettled: () => void = () => {}) {
    this.run = run
    this.view = shownRun(run)
    this.#commands = new CommandQueue(() => this.events)
    const afterSignal = async (): Promise<void> => {
      await run.settled
      if (!this.isOver) onSettled()
    }
    this.#unsubscribe = this.view.subscribe((event) => {
      this.#notify(event)
      if (event.type === 'settled') void afterSignal()
    })
    if (run.state.signal) void afterSignal()
  }

  get id(): string {
    return this.run.id
  }

  /** All events, durable or not. */
  get events(): readonly Event[] {
    return this.run.log
  }

  /**
   * Calls back for each event that clients may see, and without one when the run is over. Returns a function that
   * unsubscribes.
   */
  subscribe(listener: (event?: AnyEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Applies a command, once. Resolves when it is durable, with the length of the durable log. */
  async applyCommand(command: Command): Promise<number> {
    const { fault } = this.view
    await this.#commands.applyCommand(this.run, command)
    if (command.type === 'resume') await this.untilDurable(this.run.state.seq, fault)
    return this.view.log.length
  }

  /** Resolves when this much of the log is durable. Throws `journal_conflict` if the journal has another log. */
  untilDurable(length: number, before?: ShownRun['fault']): Promise<void> {
    return new Promise((resolve, reject) => {
      const check = (): void => {
        const { log, fault } = this.view
        const isDurable = log.length >= length
        if (!isDurable && !this.isOver && (!fault || fault === before)) return
        unsubscribe()
        if (isDurable) resolve()
        else if (this.isOver || fault?.signal.type !== 'failed') reject(conflict())
        else reject(fromFailure(fault.signal.error))
      }
      const unsubscribe = this.subscribe(check)
      check()
    })
  }

  /**
   * Sends everything durable: the log, the streaming turn, then new events. A client that has a part of the log gets the
   * rest: its own draft is old, and its events may not be in the log. Returns a function that ends this.
   */
  sendEvents(send: (events: readonly AnyEvent[]) => void, after?: LogPosition): () => void {
    const { log, fault, state } = this.view
    const known = after && log[after.length - 1]?.at === after.at ? after.length : 0
    const kept = fault ? [...log.slice(known), fault] : log.slice(known)
    const past = after ? [{ type: 'rewound', to: known } as const, ...kept] : kept
    for (let from = 0; from < past.length; from += chunk) send(past.slice(from, from + chunk))
    const { owner } = this.run as { readonly owner?: Owner }
    const now = [...(owner ? [{ type: 'owned', by: owner } as const] : []), ...(fault ? [] : liveEventsOf(state))]
    if (now.length > 0) send(now)
    const batches = new EventBatches(send)
    const unsubscribe = this.view.subscribe((event) => batches.addEvent(event))
    return () => {
      unsubscribe()
      batches.dropEvents()
    }
  }

  /**
   * Closes this object of the run, and ends nothing: the run continues from the journal, or where it executes. Only a
   * user stops a run.
   */
  closeRun(): void {
    if (this.isOver) return
    this.isOver = true
    this.#unsubscribe()
    const { close } = this.run as Partial<RemoteRun>
    if (close) close()
    // What the journal rejects, the next owner does not know.
    else handOver(this.run, takeoverOf(this.run)).catch(() => {})
    this.#notify()
  }

  #notify(event?: AnyEvent): void {
    for (const listener of [...this.#listeners]) listener(event)
  }
}

const conflict = (): AgentError => new AgentError('journal_conflict', 'Another owner took over this run.')

/**
 * Sends an event at once after a pause, and events in quick succession together, since a message costs more than its
 * content.
 */
export class EventBatches {
  readonly #send: (events: readonly AnyEvent[]) => void
  #events: AnyEvent[] = []
  #isBusy = false
  #cancelTimer = (): void => {}

  constructor(send: (events: readonly AnyEvent[]) => void) {
    this.#send = send
  }

  addEvent(event: AnyEvent): void {
    this.#events.push(event)
    if (this.#isBusy) return
    this.#isBusy = true
    queueMicrotask(() => this.#flush())
  }

  dropEvents(): void {
    this.#cancelTimer()
    this.#events = []
  }

  #flush(): void {
    this.#isBusy = this.#events.length > 0
    if (!this.#isBusy) return
    const events = this.#events
    this.#events = []
    try {
      this.#send(events)
    } catch (error) {
      // Such as an event that cannot be cloned. The events after it can be.
      reportLater(error)
    } finally {
      this.#cancelTimer = localHost.timer(0, () => this.#flush())
    }
  }
}
