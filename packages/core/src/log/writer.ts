import { type Deferred, deferred } from '../deferred.ts'
import { AgentError, isConflict } from '../error.ts'
import type { Event } from '../event.ts'
import {
  type Durability,
  isJournalError,
  journalFault,
  type RunWriter,
  readLog,
  toJournalError,
  type WriterOptions,
} from '../journal.ts'
import { asJson, canonicalJson } from '../json.ts'

/** A waiter for all events before `end` to be in the journal. */
interface Waiter extends Deferred<void> {
  readonly end: number
}

/** Writes the events of one run to its journal. Only positions determine what is durable, never a promise. */
export class Writer implements RunWriter {
  durableSeq: number
  failures = 0
  readonly #journal: WriterOptions['journal']
  readonly #runId: () => string
  /** The next events to write, without those of the current write. */
  #queue: Event[] = []
  /** The number of events of the run. */
  #addedSeq: number
  #waiters: Waiter[] = []
  #writing = false
  /**
   * True if a failed write may still have reached the journal, such as when a connection was lost before its response.
   */
  #isUnsure = false
  /** True if the run was claimed again during a write, which may still fail for lack of the new claim. */
  #claimAgain = false
  /** Listeners of successful writes. */
  readonly #listeners = new Set<() => void>()
  /** Listeners of failed writes. */
  readonly #failureListeners = new Set<(error: unknown) => void>()
  /** The number of the failed write that each error reports, from 1. */
  readonly #failures = new WeakMap<object, number>()
  #strict = false
  /** The epoch, or a promise of it; undefined until the run is claimed. */
  #epoch: number | Promise<number> | undefined

  constructor({ journal, runId, durableSeq }: WriterOptions) {
    this.#journal = journal
    this.#runId = runId
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
    if (this.#writing) return
    try {
      this.#claim()
    } catch {
      this.#epoch = undefined
    }
  }

  /** Resolves when every event added so far is durable; undefined if all of them are. */
  durable(durability?: Durability): Promise<void> | undefined {
    if (this.durableSeq === this.#addedSeq) return undefined
    if (durability === 'strict') this.#strict = true
    const { promise } = this.#waiterOf(this.#addedSeq)
    if (!this.#writing) this.#begin()
    return promise
  }

  /**
   * Writes the pending events. Resolves also if another owner has written since. Rejects if the journal accepts
   * nothing.
   */
  async close(): Promise<void> {
    try {
      await this.durable()
      await this.#epoch
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

  /** Writes until the queue is empty. Events emitted together are written together. */
  async #write(): Promise<void> {
    await undefined
    try {
      while (this.#queue.length > 0) await this.#writeBatch()
      this.#writing = false
    } catch (error) {
      this.#writing = false
      if (this.#claimAgain) {
        this.claim()
        this.#begin()
      } else this.#reject(writeFailure(error))
    }
  }

  #begin(): void {
    this.#writing = true
    void this.#write()
  }

  /** Rejects all waiters. The events stay queued, and the next waiter has them written again. */
  #reject(failure: AgentError): void {
    this.#failures.set(journalFault(failure), ++this.failures)
    for (const onFailed of this.#failureListeners) onFailed(failure)
    for (const { reject } of this.#waiters.splice(0)) reject(failure)
  }

  async #writeBatch(): Promise<void> {
    const written = this.#isUnsure ? await this.#findWritten() : 0
    this.durableSeq += written || (await this.#writeQueue())
    this.#isUnsure = false
    this.#claimAgain = false
    for (const onWritten of this.#listeners) onWritten()
    while (this.#waiters[0] && this.#waiters[0].end <= this.durableSeq) this.#waiters.shift()?.resolve()
  }

  /** Returns the number of written events. */
  async #writeQueue(): Promise<number> {
    const [batch, strict] = [this.#queue, this.#strict]
    this.#queue = []
    this.#strict = false
    try {
      await this.#append(batch, strict || batch.some(isReply) ? 'strict' : 'relaxed')
      return batch.length
    } catch (error) {
      this.#queue = [...batch, ...this.#queue]
      this.#strict ||= strict
      // After an unsure write, a conflict may be with that write, which a read that lags does not show yet.
      this.#isUnsure ||= !isConflict(error)
      throw error
    }
  }

  /** Removes the events from the queue that an unsure write did persist, and claims the run. Returns their number. */
  async #findWritten(): Promise<number> {
    const written = await readLog(this.#journal, this.#runId(), this.durableSeq)
    const { length } = written
    const sent = this.#queue.slice(0, length)
    if (length === 0 || !isSame(written, this.#journal.stored?.(this.#runId(), sent) ?? sent)) return 0
    this.#epoch = await this.#journal.claim?.(this.#runId(), this.durableSeq + length)
    this.#queue = this.#queue.slice(length)
    return length
  }

  async #append(events: readonly Event[], durability: Durability): Promise<void> {
    if (this.#epoch === undefined) this.#claim()
    // If the journal answers synchronously, no other owner can come between the claim and the write.
    const epoch = typeof this.#epoch === 'object' ? await this.#epoch : this.#epoch
    await this.#journal.append(this.#runId(), events, { epoch, durability })
  }

  #claim(): void {
    const epoch = this.#journal.claim?.(this.#runId(), this.durableSeq)
    if (typeof epoch !== 'object') {
      this.#epoch = epoch
      return
    }
    const coming = Promise.resolve(epoch)
    this.#epoch = coming
    // The write that needs the epoch rejects with this error, and the next write claims again.
    coming.catch(() => {
      if (this.#epoch === coming) this.#epoch = undefined
    })
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

const isSame = (...logs: readonly [readonly Event[], readonly Event[]]): boolean => {
  const [a, b] = logs.map((log) => canonicalJson(asJson(log)))
  return a === b
}

/** Returns true for a user's reply, which cannot be computed again. */
const isReply = ({ type }: Event): boolean => type === 'replied'
