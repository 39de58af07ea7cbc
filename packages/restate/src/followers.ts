import { LiveQueue, Notifier, pause } from '@interleave/connect/internal'
import type { Event, Host } from '@interleave/core'
import type { LiveEvent } from '@interleave/core/observe'
import type { HubMessage, LiveHub } from './liveHub.ts'

export interface RunReaderOptions {
  readonly read: (from: number) => PromiseLike<readonly Event[]> | readonly Event[]
  readonly host: Pick<Host, 'timer'>
  readonly signal: AbortSignal
  /** Notified when there is more to read, which may not be visible yet. */
  readonly notifier: Notifier
  /** True if the run is about to start. */
  readonly isNew: boolean
  /** True if a hub reports events. */
  readonly hasHub: boolean
  /** Validates the beginning of the log before any of it is emitted. */
  readonly accepts?: ((beginning: readonly Event[]) => boolean) | undefined
  /** Receives each event once, in order. */
  readonly onEvent: (event: Event | LiveEvent) => void
}

/** Milliseconds between reads of a running run: short while there is much to read, longer while there is little. */
const withoutHub = { first: 50, least: 100, most: 1_500, rest: 5_000 }
/** With a hub, reads are only for events that the hub lost. */
const withHub = { first: 500, least: 500, most: 5_000, rest: 30_000 }

/** Reads the log of a run, as far as no hub delivers its events. */
export class RunReader {
  readonly #options: RunReaderOptions
  readonly #events: Event[] = []
  readonly #live = new LiveQueue()

  constructor(options: RunReaderOptions) {
    this.#options = options
  }

  /**
   * Accepts a message of a hub, from any position of the log. Returns false, and emits nothing, if earlier events are
   * missing.
   */
  receiveMessage(message: HubMessage): boolean {
    if ('kept' in message) return this.#addEvents(message.kept)
    for (const event of message.events) this.#live.addEvent(event, message.after)
    if (message.after <= this.#events.length) this.#releaseLive()
    return true
  }

  /** Reads until the signal aborts. Rejects if the log cannot be read. */
  async readLog(): Promise<void> {
    const { read, host, signal, notifier, isNew, hasHub } = this.#options
    const { first, least, most, rest } = hasHub ? withHub : withoutHub
    let pauseMs = least
    let isExpected = false
    let isNotified = isNew && (await notifier.next(first))
    for (let known = 0; !signal.aborted; ) {
      const isFromHub = this.#events.length > known && !isNotified
      if (!isFromHub) {
        if (isNotified) [isExpected, pauseMs] = [true, least]
        known = this.#events.length
        this.#addEvents(await read(known))
        if (signal.aborted) return
        const hasMore = this.#events.length > known
        pauseMs = hasMore ? least : Math.min(pauseMs * 1.5, most)
        if (hasMore || pauseMs === most) isExpected = false
        await pause(host, withoutHub.least, signal)
      }
      known = this.#events.length
      const isSettled = this.#events.at(-1)?.type === 'settled'
      isNotified = await notifier.next(isSettled && !isExpected ? rest : isFromHub ? most : pauseMs)
    }
  }

  #addEvents(events: readonly Event[]): boolean {
    const { accepts, onEvent } = this.#options
    const { length } = this.#events
    const added = events.filter(({ seq }) => seq >= length)
    if (added[0] && added[0].seq !== length) return false
    if (length === 0 && added.length > 0 && accepts?.(added) === false) return true
    for (const event of added) {
      this.#events.push(event)
      onEvent(event)
      this.#releaseLive()
    }
    return true
  }

  #releaseLive(): void {
    for (const event of this.#live.takeDue(this.#events, this.#events.length)) this.#options.onEvent(event)
  }
}

export interface FollowersOptions {
  readonly read: (run: string, from: number, signal: AbortSignal) => PromiseLike<readonly Event[]> | readonly Event[]
  readonly live: LiveHub['subscribe'] | undefined
  readonly host: Pick<Host, 'timer'>
  readonly onEvent: (run: string, event: Event | LiveEvent) => void
  readonly onFailed: (run: string, error: unknown) => void
}

interface Opened {
  readonly controller: AbortController
  readonly notifier: Notifier
  isFollowed: boolean
}

/** The runs that are followed in this process. */
export class Followers {
  readonly #options: FollowersOptions
  readonly #opened = new Map<string, Opened>()

  constructor(options: FollowersOptions) {
    this.#options = options
  }

  /** Starts to follow a run, once. */
  followRun(run: string, readerOptions: Pick<RunReaderOptions, 'isNew' | 'accepts'>): void {
    const { read, live, host, onEvent, onFailed } = this.#options
    const opened = this.#open(run)
    const { notifier, controller } = opened
    const { signal } = controller
    if (opened.isFollowed || signal.aborted) return
    opened.isFollowed = true
    const reader = new RunReader({
      ...{ ...readerOptions, host, signal, notifier, hasHub: live !== undefined },
      read: (from) => read(run, from, signal),
      onEvent: (event) => onEvent(run, event),
    })
    const leaveHub = live?.(run, (message) => void (reader.receiveMessage(message) || notifier.notify()))
    reader
      .readLog()
      .catch((error: unknown) => {
        if (signal.aborted) return
        // So that opening the run again follows it again.
        this.#opened.delete(run)
        onFailed(run, error)
      })
      .finally(leaveHub)
  }

  /** Notifies the reader of a run that there is more to read, or soon will be. */
  notifyRun(run: string): void {
    this.#opened.get(run)?.notifier.notify()
  }

  leaveRun(run: string): void {
    const opened = this.#opened.get(run)
    this.#opened.delete(run)
    opened?.controller.abort()
    opened?.notifier.notify()
  }

  /** Returns the signal that aborts when the run is left. */
  signalOf(run: string): AbortSignal {
    return this.#open(run).controller.signal
  }

  #open(run: string): Opened {
    const { host } = this.#options
    const opened = this.#opened.get(run) ?? {
      ...{ controller: new AbortController(), notifier: new Notifier(host), isFollowed: false },
    }
    this.#opened.set(run, opened)
    return opened
  }
}
