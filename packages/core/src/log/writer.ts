import { type Deferred, deferred } from '../deferred.ts'
import { AgentError, isConflict, mayPass } from '../error.ts'
import type { Event, SavingTrouble } from '../event.ts'
import type { Host } from '../host.ts'
import {
  type Durability,
  isJournalError,
  journalFault,
  type RunWriter,
  toJournalError,
  type WriterOptions,
} from '../journal.ts'
import { OwnedJournal } from './ownedJournal.ts'

/** A waiter for all events before `end` to be in the journal. */
interface Waiter extends Deferred<void> {
  readonly end: number
}

/** Milliseconds in which a failed write is tried again before the run fails: a database that fails over takes that long. */
const giveUpMs = 300_000
/** Milliseconds before the first repetition of a write, and before each at most. */
const [firstWaitMs, longestWaitMs] = [250, 5_000] as const

/** Writes the events of one run to its journal. Only positions determine what is durable, never a promise. */
export class Writer implements RunWriter {
  durableSeq: number
  failures = 0
  readonly #journal: OwnedJournal
  readonly #host: Pick<Host, 'timer'>
  readonly #onSaving: WriterOptions['onSaving']
  /** The next events to write, without those of the current write. */
  #queue: Event[] = []
  /** The number of events of the run. */
  #addedSeq: number
  #waiters: Waiter[] = []
  #writing = false
  /** True if the run was claimed again during a write, which may still fail for lack of the new claim. */
  #claimAgain = false
  /** Listeners of successful writes. */
  readonly #listeners = new Set<() => void>()
  /** Listeners of failed writes. */
  readonly #failureListeners = new Set<(error: unknown) => void>()
  /** The number of the failed write that each error reports, from 1. */
  readonly #failures = new WeakMap<object, number>()
  #strict = false
  /** The latest failure of a write that is tried again. */
  #trouble: AgentError | undefined
  /** True once a failed write is not tried again, because it was for long enough, or another owner waits for it. */
  #isHurried = false
  #endPause = (): void => {}

  constructor({ journal, runId, durableSeq, host, onSaving }: WriterOptions) {
    this.#journal = new OwnedJournal({ journal, runId, pause: (ms) => this.#pause(ms) })
    this.#host = host
    this.#onSaving = onSaving
    this.durableSeq = durableSeq
    this.#addedSeq = durableSeq
  }

  add(event: Event): void {
    this.#queue.push(event)
    this.#addedSeq = event.seq + 1
  }

  /** Makes this the owner immediately, not with the next write. */
  claim(): void {
    // A claim would make a current write fail. If that write succeeds, this is the owner anyway.
    this.#claimAgain = this.#writing
    this.#isHurried = false
    if (!this.#writing) this.#journal.claim(this.durableSeq)
  }

  /** Resolves when every event added so far is durable; undefined if all of them are. */
  durable(durability?: Durability): Promise<void> | undefined {
    if (this.durableSeq === this.#addedSeq) return undefined
    if (durability === 'strict') this.#strict = true
    const { promise } = this.#waiterOf(this.#addedSeq)
    if (!this.#writing) this.#begin()
    return promise
  }

  /** Rejects for those who wait now, if writes fail. The events are still written once the journal is back. */
  release(): void {
    if (this.#trouble) this.#reject(this.#trouble)
  }

  /**
   * Writes the pending events. Resolves also if another owner has written since. Rejects if the journal accepts
   * nothing.
   */
  async close(): Promise<void> {
    if (this.#trouble) {
      this.#isHurried = true
      this.#endPause()
    }
    try {
      await this.durable()
      await this.#journal.claimed
    } catch (error) {
      // The next owner resumes what the journal has.
      if (!isConflict(error)) throw error
    }
  }

  /** Calls back, within the write, each time when a write succeeds. Returns a function that ends this. */
  onWritten(callback: () => void): () => void {
    this.#listeners.add(callback)
    return () => void this.#listeners.delete(callback)
  }

  /** Calls back each time when a write fails. Returns a function that ends this. */
  onFailed(callback: (error: unknown) => void): () => void {
    this.#failureListeners.add(callback)
    return () => void this.#failureListeners.delete(callback)
  }

  /** Returns the number of the failed write that this error reports, from 1; 0 for any other error. */
  failureOf(error: unknown): number {
    return this.#failures.get(Object(error)) ?? 0
  }

  /** Returns the waiter for a position. Positions only grow, so waiters of the same position share a promise. */
  #waiterOf(end: number): Waiter {
    const latest = this.#waiters.at(-1)
    if (latest?.end === end) return latest
    const waiter = { end, ...deferred<void>() }
    this.#waiters.push(waiter)
    return waiter
  }

  #begin(): void {
    this.#writing = true
    void this.#write()
  }

  /** Writes until the queue is empty. Events emitted together are written together. */
  async #write(): Promise<void> {
    await undefined
    let waited = 0
    let wait: number = firstWaitMs
    for (let attempt = 1; this.#queue.length > 0; attempt++) {
      try {
        await this.#writeBatch()
        ;[attempt, waited, wait] = [0, 0, firstWaitMs]
      } catch (error) {
        if (this.#claimAgain) {
          this.#claimAgain = false
          this.#journal.claim(this.durableSeq)
          continue
        }
        const failure = writeFailure(error)
        if (this.#isHurried || waited >= giveUpMs || !mayPass(error)) return this.#giveUp(failure)
        this.#setTrouble(failure, { attempt, inMs: wait })
        await this.#pause(wait)
        waited += wait
        wait = Math.min(2 * wait, longestWaitMs)
      }
    }
    this.#writing = false
  }

  /** Waits, unless the run is in a hurry. */
  #pause(ms: number): Promise<void> {
    if (this.#isHurried) return Promise.resolve()
    return new Promise((resolve) => {
      const cancel = this.#host.timer(ms, resolve)
      this.#endPause = () => {
        cancel()
        resolve()
      }
    })
  }

  #setTrouble(failure?: AgentError, shown?: SavingTrouble): void {
    if (!failure && !this.#trouble) return
    this.#trouble = failure
    this.#onSaving(shown)
  }

  #giveUp(failure: AgentError): void {
    this.#writing = false
    // Until a write succeeds or a user resumes the run, whoever waits again is told at once.
    this.#isHurried = true
    this.#setTrouble()
    this.#reject(failure)
  }

  /** Rejects all waiters. The events stay queued, and the next waiter has them written again. */
  #reject(failure: AgentError): void {
    this.#failures.set(journalFault(failure), ++this.failures)
    for (const onFailed of this.#failureListeners) onFailed(failure)
    for (const { reject } of this.#waiters.splice(0)) reject(failure)
  }

  async #writeBatch(): Promise<void> {
    this.durableSeq += await this.#writeQueue()
    this.#claimAgain = false
    this.#isHurried = false
    this.#setTrouble()
    for (const onWritten of this.#listeners) onWritten()
    while (this.#waiters[0] && this.#waiters[0].end <= this.durableSeq) this.#waiters.shift()?.resolve()
  }

  /** Returns the number of written events. The others stay in the queue. */
  async #writeQueue(): Promise<number> {
    const [batch, strict] = [this.#queue, this.#strict]
    let written = 0
    this.#queue = []
    this.#strict = false
    try {
      written = await this.#journal.write(batch, strict || batch.some(isReply) ? 'strict' : 'relaxed')
      return written
    } finally {
      if (written < batch.length) {
        this.#queue = [...batch.slice(written), ...this.#queue]
        this.#strict ||= strict
      }
    }
  }
}

/**
 * Creates the failure of a run whose journal rejected a write. Its code distinguishes it from a failure of the tool or
 * step that waits for the write.
 */
function writeFailure(error: unknown): AgentError {
  const failure = toJournalError(error)
  if (isJournalError(failure)) return failure
  const { message, retryable } = failure
  return new AgentError('journal_failed', `The journal could not be written: ${message}`, { cause: error, retryable })
}

/** Returns true for a user's reply, which cannot be computed again. */
const isReply = ({ type }: Event): boolean => type === 'replied'
