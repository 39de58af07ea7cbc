import type { Event, Host } from '@interleave/core'
import {
  canonicalJson,
  checkLog,
  checkNext,
  type Feed,
  staleOwner,
  storedJson,
  toJournalError,
} from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import type { LiveEvent } from '@interleave/core/observe'
import { LiveQueue } from '../liveQueue.ts'
import { patiently } from './patiently.ts'
import type { OwnerMessage } from './tabMessage.ts'

export interface JournalFollowerOptions {
  readonly id: string
  readonly feed: Feed
  readonly journal: Journal
  readonly host: Pick<Host, 'timer'>
  readonly onError: (error: unknown) => void
}

/** Follows a run that another tab executes: durable events come from the journal, live ones from the owner. */
export class JournalFollower {
  readonly #options: JournalFollowerOptions
  readonly #follower: LogFollower
  /** True if the owner has sent the streaming turn. */
  #hasJoined = false
  /** The length of the log, as the owner reports it. */
  #known = 0
  #isReading = false
  #hasDiverged = false
  readonly #end = new AbortController()
  /** The last read. Reads follow one after the other. */
  #lastRead: Promise<unknown> = Promise.resolve()

  constructor(options: JournalFollowerOptions) {
    this.#options = options
    this.#follower = new LogFollower(options.feed)
  }

  /** Handles a message of the current owner. */
  receiveMessage(message: OwnerMessage, me: string): void {
    switch (message.type) {
      case 'joined':
        if (message.to !== me) return
        this.#hasJoined = true
        for (const event of message.live) this.#follower.addLiveEvent(event, message.after)
        this.#noteLength(message.after)
        break
      case 'owner':
        // A read that failed before may succeed now.
        this.#noteLength(this.#known)
        break
      case 'kept':
      case 'done':
        this.#noteLength(message.length)
        break
      case 'live':
        if (this.#hasJoined) this.#follower.addLiveEvent(message.event, message.after)
    }
  }

  /** Forgets the owner: another one is known, but not its current turn. */
  forgetOwner(): void {
    this.#follower.dropLiveEvents()
    this.#hasJoined = false
    this.#known = 0
  }

  /** Reads the new events of the journal, up to a length if one is given: the next events are not the journal's then. */
  catchUp(length?: number): Promise<void> {
    return this.#queueRead(() => this.#readOn(length))
  }

  /** Marks that the feed has events which are not in the journal. They are discarded before the next read. */
  markDiverged(): void {
    this.#hasDiverged = true
  }

  /** Discards the events that are not in the journal, and reads on. Returns true if it is the log of the same run. */
  replaceLog(): Promise<boolean> {
    return this.#queueRead(() => this.#readAgain())
  }

  /** Stops reading. Resolves when the current read has been emitted. */
  async stopReading(): Promise<void> {
    this.#end.abort()
    await this.#lastRead
  }

  #queueRead<T>(read: () => Promise<T>): Promise<T> {
    const { host } = this.#options
    const reading = this.#lastRead
      .then(() => patiently(read, { host, signal: this.#end.signal }))
      .catch((error: unknown) => Promise.reject(toJournalError(error, 'read')))
    this.#lastRead = reading.catch(() => {})
    return reading
  }

  async #readAgain(): Promise<boolean> {
    if (this.#end.signal.aborted) return true
    const { id, journal } = this.#options
    const stored = await journal.read(id)
    const events = stored.length === 0 ? [] : checkLog(stored, { runId: id })
    this.#hasDiverged = false
    return events.length === 0 || this.#follower.replaceLog(events)
  }

  async #readOn(length?: number): Promise<void> {
    if (this.#end.signal.aborted) return
    const { id, feed, journal } = this.#options
    if (this.#hasDiverged && !(await this.#readAgain())) throw staleOwner(id)
    // An earlier read may have brought what the new owner has written already.
    if (length !== undefined && length < feed.state.seq) feed.rewind(length)
    this.#follower.appendEvents(await journal.read(id, feed.state.seq), length)
  }

  async #readAll(): Promise<void> {
    const { feed } = this.#options
    const isBehind = (): boolean => this.#hasDiverged || feed.state.seq < this.#known
    for (
      let before = -1;
      !this.#end.signal.aborted && isBehind() && (this.#hasDiverged || feed.state.seq !== before);
    ) {
      before = feed.state.seq
      await this.#readOn()
    }
    this.#isReading = false
  }

  #noteLength(length: number): void {
    this.#known = Math.max(this.#known, length)
    if (this.#isReading || (this.#known <= this.#options.feed.state.seq && !this.#hasDiverged)) return
    this.#isReading = true
    const isShown = this.#hasDiverged
    this.#queueRead(() => this.#readAll()).catch((error: unknown) => {
      this.#isReading = false
      if (!isShown) this.#options.onError(error)
    })
  }
}

/** Publishes the events of a run elsewhere in a feed, validated and in order. Late live events are dropped. */
export class LogFollower {
  readonly #feed: Feed
  readonly #live = new LiveQueue()

  constructor(feed: Feed) {
    this.#feed = feed
  }

  /** Adds durable events that continue the log, up to a length if one is given. Throws `log_invalid` for others. */
  appendEvents(events: unknown, length: number = Number.POSITIVE_INFINITY): void {
    for (const event of checkNext(events, this.#feed.state.seq)) {
      if (event.seq >= length) return
      this.#feed.publish(event)
      this.#releaseLive()
    }
  }

  /** Adds a live event. `after` is the number of durable events before it. */
  addLiveEvent(event: LiveEvent, after: number): void {
    this.#live.addEvent(event, after)
    if (after <= this.#feed.state.seq) this.#releaseLive()
  }

  dropLiveEvents(): void {
    this.#live.clear()
  }

  /** Replaces the log by the durable one. Returns false if they do not begin with the same event. */
  replaceLog(events: readonly Event[]): boolean {
    const known = this.#feed.log
    const same = firstDifference(known, events)
    if (same === 0 && known.length > 0) return false
    if (same < known.length) this.#feed.rewind(same)
    for (const event of events.slice(same)) this.#feed.publish(event)
    return true
  }

  #releaseLive(): void {
    const { log, state } = this.#feed
    for (const event of this.#live.takeDue(log, state.seq)) this.#feed.publish(event)
  }
}

/** Returns the number of first events that two logs have in common. */
function firstDifference(a: readonly Event[], b: readonly Event[]): number {
  const shorter = Math.min(a.length, b.length)
  for (let index = 0; index < shorter; index++) {
    if (textOf(a[index]) !== textOf(b[index])) return index
  }
  return shorter
}

const textOf = (event: Event | undefined): string => canonicalJson(storedJson(event))
