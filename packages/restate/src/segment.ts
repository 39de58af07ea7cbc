import { elapsedMs, pause } from '@interleave/connect/internal'
import type { Effect, Event, Host, Run } from '@interleave/core'
import { decorateJournal } from '@interleave/core/internal'
import type { Journal, JournalEngine } from '@interleave/core/journal'

/** The part of a run that one invocation executes, before the next one continues it. */
export interface SegmentLimits {
  /** Turns of models; 200 by default, or 50 if the host is not `bidirectional`. */
  readonly turns: number
  /**
   * Milliseconds after which the next turn is left to another invocation; 600,000 by default, or 120,000 if the host is
   * not `bidirectional`.
   */
  readonly ms: number
  /** Milliseconds that a run which waits for a user stays in memory, in case the reply comes soon; 5,000 by default. */
  readonly lingerMs: number
  /** Milliseconds that a tool call or model call may take; 600,000 by default. */
  readonly effectMs: number
}

export interface SegmentOptions {
  readonly runId: string
  readonly journal: Required<Journal>
  readonly limits: Pick<SegmentLimits, 'turns' | 'ms'>
  readonly host: Host
  /** Returns true if the run executes in another attempt by now. */
  readonly isElsewhere: () => Promise<boolean>
}

type Writer = ReturnType<JournalEngine['write']>

/** Milliseconds after which a failed write is tried again. */
const retryMs = 20
/** Milliseconds for which the run counts as ours without another check. */
const claimedMs = 1_000

/**
 * A segment of a run. It ends when a turn is left to the next one and nothing is running. The next one continues from
 * the log.
 */
export class Segment {
  /** The host for the run, and its children. */
  readonly host: Host
  /** The journal for the run. After the end it writes nothing, and does not report failures to the run. */
  readonly journal: Journal
  /** Resolves when the run's own log has its beginning. */
  readonly begun: Promise<void>
  /** Resolves when the next segment should continue. */
  readonly ended: Promise<void>
  readonly #options: SegmentOptions
  readonly #underWay = new UnderWay(() => this.#endIfCalm())
  /** Those of the run and its child runs. */
  readonly #writers = new Set<Writer>()
  readonly #endsAt: number
  #turnsLeft: number
  #isTurnHeld = false
  #run: Run | undefined
  /** The durable length of the run's own log. */
  #length = 0
  #writing = 0
  /** The time of the last claim. Another owner may have taken over since. */
  #claimedAt: number
  #isOver = false
  #begin = (): void => {}
  #end = (): void => {}

  constructor(options: SegmentOptions) {
    const { host, limits, journal } = options
    this.#options = options
    this.#claimedAt = host.now()
    this.#endsAt = host.now() + limits.ms
    this.#turnsLeft = limits.turns
    this.begun = new Promise((resolve) => {
      this.#begin = resolve
    })
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
    this.host = {
      now: () => host.now(),
      newId: () => host.newId(),
      timer: (...args) => host.timer(...args),
      perform: (effect, body) => this.#perform(effect, body),
    }
    this.journal = this.#watch(journal)
  }

  attend(run: Run): void {
    this.#run = run
  }

  /** Returns true if this question has a waiter. */
  waits(ask: string): boolean {
    return this.#underWay.waits(ask)
  }

  /** Returns true if another owner took over. Then this segment is over. */
  async isTakenOver(): Promise<boolean> {
    if (!this.#isOver && ((await this.#isBehind()) || (await this.#options.isElsewhere()))) this.#finish()
    return this.#isOver
  }

  /** Ends the segment: from now on it writes nothing, and no effect starts, as if the process had died. */
  close(): void {
    this.#isOver = true
  }

  #finish(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#end()
  }

  #endIfCalm(): void {
    if (!this.#isTurnHeld || !this.#underWay.isNothing || this.#writing > 0) return
    if (this.#length >= (this.#run?.state.seq ?? 0)) this.#finish()
  }

  #perform<T>(effect: Effect, body: () => PromiseLike<T>): Promise<T> {
    const { host } = this.#options
    if (this.#isOver) return never()
    if (effect.kind === 'model' && !this.#takeTurn()) return never()
    const isStale = effect.kind === 'tool' && elapsedMs(this.#claimedAt, host.now()) >= claimedMs
    if (isStale) this.#claimedAt = host.now()
    // A process that was paused may wake up and believe that the run is its own.
    const checkFirst = async (): Promise<T> => ((await this.isTakenOver()) ? never() : host.perform(effect, body))
    return this.#underWay.during(effect, isStale ? checkFirst : () => host.perform(effect, body))
  }

  /** Returns true if there is a turn left in this segment. Otherwise it is held for the next one. */
  #takeTurn(): boolean {
    if (this.#turnsLeft > 0 && this.#options.host.now() < this.#endsAt) {
      this.#turnsLeft--
      return true
    }
    if (!this.#isTurnHeld) for (const writer of this.#writers) void this.#writeNow(writer)
    this.#isTurnHeld = true
    this.#endIfCalm()
    return false
  }

  /** Writes what a run has emitted. It writes by itself only with its next turn, which a child run may hold up. */
  async #writeNow(writer: Writer): Promise<void> {
    while (!this.#isOver) {
      try {
        return await writer.durable()
      } catch {
        // A run reports by itself if it cannot write.
        await pause(this.#options.host, retryMs)
      }
    }
  }

  /** Returns true if another writer, unaware of this one, has written to the log. */
  async #isBehind(): Promise<boolean> {
    const { runId, journal, host } = this.#options
    // A current write reports by itself if it is rejected, and a successful one is no sign of another owner.
    while (this.#writing > 0 && !this.#isOver) await pause(host, 5)
    const from = this.#length
    const more = await journal.read(runId, from)
    return more.length > 0 && this.#writing === 0 && this.#length === from
  }

  #watch(journal: Required<Journal>): Journal {
    const write: JournalEngine['write'] = (options) => {
      const writer = journal.engine.write(options)
      const add = writer.add.bind(writer)
      writer.add = (event) => {
        add(event)
        if (this.#isTurnHeld) void this.#writeNow(writer)
      }
      this.#writers.add(writer)
      return writer
    }
    return decorateJournal(journal, (inner) => ({
      engine: { ...journal.engine, write },
      append: (id, events, options) =>
        this.#write(async () => {
          await inner.append(id, events, options)
          this.#underWay.noteEvents(id, events)
          this.#noteLength(id, events)
        }),
      claim: (id, length) => this.#write(() => inner.claim(id, length)),
      delete: (id) => this.#write(() => inner.delete(id)),
      read: async (id, from) => {
        const events = await inner.read(id, from)
        this.#noteLength(id, events)
        return events
      },
    }))
  }

  async #write<T>(work: () => T | PromiseLike<T>): Promise<T> {
    if (this.#isOver) return never()
    this.#writing++
    const requestedAt = this.#options.host.now()
    try {
      const done = await work()
      // As of the request, not of the response.
      this.#claimedAt = requestedAt
      return done
    } catch (error) {
      // A failure after the end is not the run's.
      if (this.#isOver) return never()
      throw error
    } finally {
      this.#writing--
      if (this.#writing === 0) this.#endIfCalm()
    }
  }

  #noteLength(id: string, events: readonly Event[]): void {
    const last = events.at(-1)
    if (id !== this.#options.runId || !last) return
    this.#length = Math.max(this.#length, last.seq + 1)
    this.#begin()
  }
}

/** Returns a promise that stays pending, for consumers that must receive neither result nor error. */
const never = <T>(): Promise<T> => new Promise<T>(() => {})

/** Returns true for effects that another segment continues unchanged. */
const passes = (kind: Effect['kind']): boolean => kind === 'wait' || kind === 'sleep'

/** The current work of a run. */
export class UnderWay {
  readonly #onLess: () => void
  readonly #effects = new Set<Effect>()
  /** The calls that have begun, and whose results are not durable. */
  readonly #calls = new Set<string>()

  constructor(onLess: () => void) {
    this.#onLess = onLess
  }

  /** True if nothing would be lost or repeated by continuing in another invocation now. */
  get isNothing(): boolean {
    if (this.#calls.size > 0) return false
    const waits = this.#waits
    // The tool that asks only waits for a user, too.
    const isIdle = ({ kind, key }: Effect): boolean =>
      passes(kind) || waits.some((wait) => wait.key.startsWith(`${key}/`))
    return [...this.#effects].every(isIdle)
  }

  /** Returns true if this question has a waiter. */
  waits(ask: string): boolean {
    return this.#waits.some(({ key }) => key === ask)
  }

  /** Counts an effect for as long as it lasts. */
  async during<T>(effect: Effect, work: () => PromiseLike<T>): Promise<T> {
    this.#effects.add(effect)
    if (passes(effect.kind)) this.#onLess()
    try {
      return await work()
    } finally {
      this.#effects.delete(effect)
      this.#onLess()
    }
  }

  /** Notes that these events are durable. */
  noteEvents(runId: string, events: readonly Event[]): void {
    for (const event of events) {
      if (event.type === 'claimed' && !event.resumes) this.#calls.add(`${runId} ${event.call}`)
      if (event.type === 'observed') this.#calls.delete(`${runId} ${event.call}`)
      if (event.type === 'asked') this.#calls.delete(`${runId} ${event.ask.call}`)
    }
  }

  get #waits(): readonly Effect[] {
    return [...this.#effects].filter(({ kind }) => kind === 'wait')
  }
}
