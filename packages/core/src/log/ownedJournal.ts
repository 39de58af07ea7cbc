import { isConflict } from '../error.ts'
import type { Event } from '../event.ts'
import type { Durability, WriterOptions } from '../journal.ts'
import { asJson, canonicalJson } from '../json.ts'

interface OwnedJournalOptions extends Pick<WriterOptions, 'journal' | 'runId'> {
  /** Waits before the journal is read again, whose reads may lag behind its writes. */
  readonly pause: (ms: number) => Promise<void>
}

/** Milliseconds after each write with a conflict that the log does not explain yet. */
const looks = [50, 250, 1_000] as const

/**
 * The journal of a run as its owner writes it. A response may be lost, late or doubled, so a write that the journal
 * rejects with a conflict may have come through before. A conflict is reported only if the log shows another owner.
 */
export class OwnedJournal {
  readonly #journal: WriterOptions['journal']
  readonly #runId: () => string
  readonly #pause: OwnedJournalOptions['pause']
  /** The epoch, or a promise of it; undefined until the run is claimed. */
  #epoch: number | Promise<number> | undefined
  /**
   * True once a write succeeded with this claim. Before that, a claim of this owner whose response was lost may have
   * come after it. It cannot come later, since a claim names the log's length.
   */
  #isProven = false
  /** True if a write that failed may still have reached the journal, or may reach it. */
  #isUnsure = false

  constructor({ journal, runId, pause }: OwnedJournalOptions) {
    this.#journal = journal
    this.#runId = runId
    this.#pause = pause
  }

  /** Resolves when a claim under way has its response. */
  get claimed(): number | PromiseLike<number> | undefined {
    return this.#epoch
  }

  /** Claims the run. A failure is reported by the write that needs the claim, and the next write claims again. */
  claim(length: number): void {
    try {
      this.#claim(length)
    } catch {
      this.#epoch = undefined
    }
  }

  /**
   * Writes events that follow each other. Returns how many of them the journal has now, from the first on: an earlier
   * write of this owner may have had fewer.
   */
  async write(events: readonly Event[], durability: Durability): Promise<number> {
    const wasUnsure = this.#isUnsure
    const found = wasUnsure && (await this.#findWritten(events))
    // After a foreign event, the write fails with the journal's own conflict.
    if (typeof found === 'number') return found
    let conflict: unknown
    for (const ms of looks) {
      try {
        await this.#append(events, durability)
        this.#isUnsure = false
        this.#isProven = true
        return events.length
      } catch (error) {
        this.#isUnsure ||= !isConflict(error)
        if (!isConflict(error)) throw error
        conflict = error
      }
      // Another owner may have written the same in the same millisecond. Only the epoch tells them apart.
      const mayBeOwn = wasUnsure || (await this.#isOwner(conflict))
      const written = await this.#findWritten(events, mayBeOwn)
      if (typeof written === 'number') return written
      // Without a further event, another owner has claimed the run.
      if (written === 'foreign' || (this.#isProven && !wasUnsure)) break
      if (this.#isProven || !(await this.#claimAgain(events))) await this.#pause(ms)
    }
    throw conflict
  }

  /** Claims the run once more at the length that is known here. Returns false if the log is longer. */
  async #claimAgain([first]: readonly Event[]): Promise<boolean> {
    if (!this.#journal.claim || !first) return false
    try {
      this.#epoch = await this.#journal.claim(this.#runId(), first.seq)
      return true
    } catch (error) {
      if (isConflict(error)) return false
      throw error
    }
  }

  /**
   * Looks for events in the journal, and claims the run if it has some: an unsure write came through. Returns their
   * number, or tells whether the log has other events there, or none.
   */
  async #findWritten(events: readonly Event[], mayBeOwn = true): Promise<number | 'foreign' | 'none'> {
    const from = events[0]?.seq ?? 0
    // Not `readLog`: its failure is one of the write.
    const written: unknown = await this.#journal.read(this.#runId(), from)
    if (!Array.isArray(written) || written.length === 0) return 'none'
    const { length } = written
    const sent = events.slice(0, length)
    if (!mayBeOwn || !isSame(written, this.#journal.stored?.(this.#runId(), sent) ?? sent)) return 'foreign'
    // Also if the response to the claim is lost.
    this.#isUnsure = true
    this.#epoch = await this.#journal.claim?.(this.#runId(), from + length)
    this.#isProven = false
    this.#isUnsure = false
    return length
  }

  /** Returns true if the journal reports, with a conflict, that the latest claim is the one of this owner. */
  async #isOwner(conflict: unknown): Promise<boolean> {
    const { epoch } = Object(conflict) as { readonly epoch?: unknown }
    return epoch !== undefined && epoch === (await this.#epoch)
  }

  async #append(events: readonly Event[], durability: Durability): Promise<void> {
    if (this.#epoch === undefined) this.#claim(events[0]?.seq ?? 0)
    // If the journal answers synchronously, no other owner can come between the claim and the write.
    const epoch = typeof this.#epoch === 'object' ? await this.#epoch : this.#epoch
    await this.#journal.append(this.#runId(), events, { epoch, durability })
  }

  #claim(length: number): void {
    const epoch = this.#journal.claim?.(this.#runId(), length)
    this.#isProven = false
    if (typeof epoch !== 'object') {
      this.#epoch = epoch
      return
    }
    const coming = Promise.resolve(epoch)
    this.#epoch = coming
    coming.catch(() => {
      if (this.#epoch === coming) this.#epoch = undefined
    })
  }
}

const isSame = (...logs: readonly [readonly Event[], readonly Event[]]): boolean => {
  const [a, b] = logs.map((log) => canonicalJson(asJson(log)))
  return a === b
}
