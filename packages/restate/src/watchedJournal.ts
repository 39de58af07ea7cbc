import type { Event, Host } from '@interleave/core'
import { decorateJournal } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'

import { pause } from './within.ts'

/** The durable length of a log, and the waiters for more. */
interface Kept {
  readonly length: number
  /** So much is kept. */
  reach(length: number): void
  /** Resolves when so much is. */
  until(length: number): Promise<void>
}

export function createKept(): Kept {
  let kept = 0
  const waiting = new Set<{ readonly length: number; readonly goOn: () => void }>()
  return {
    get length() {
      return kept
    },
    reach(length) {
      kept = Math.max(kept, length)
      for (const each of waiting) {
        if (kept < each.length) continue
        waiting.delete(each)
        each.goOn()
      }
    },
    until: (length) =>
      new Promise((goOn) => {
        if (kept >= length) goOn()
        else waiting.add({ length, goOn })
      }),
  }
}

/** The end of something that works. */
interface Ending {
  readonly isOver: boolean
  /** Resolves when it ends by itself. Consumers that are cut off are notified elsewhere. */
  readonly ended: Promise<void>
  end(): void
  /** From now on it does nothing more. */
  cutOff(): void
}

export function createEnding(): Ending {
  let isOver = false
  let resolve = (): void => {}
  const ended = new Promise<void>((done) => {
    resolve = done
  })
  return {
    get isOver() {
      return isOver
    },
    ended,
    end() {
      if (isOver) return
      isOver = true
      resolve()
    },
    cutOff() {
      isOver = true
    },
  }
}

/** Our ownership of a run. Another owner may have taken over since it was last confirmed. */
interface Claim {
  /** Returns true if the last confirmation is old. The next check is due after the same time again. */
  isStale(): boolean
  /** Renews the claim as of the time of the request, not of the response. */
  renew(askedAt: number): void
}

/** Milliseconds for which it is good without another look. */
const goodMs = 1_000

export function createClaim(host: Pick<Host, 'now'>): Claim {
  let claimedAt = host.now()
  return {
    isStale() {
      const stale = host.now() - claimedAt >= goodMs
      if (stale) claimedAt = host.now()
      return stale
    },
    renew(askedAt) {
      claimedAt = askedAt
    },
  }
}

/** A promise that stays pending, for consumers that are cut off: they receive neither result nor error. */
export const never = <T>(): Promise<T> => new Promise<T>(() => {})

export interface WatchedJournalOptions {
  readonly runId: string
  readonly host: Pick<Host, 'now' | 'timer'>
  /** After it nothing is written. */
  readonly ending: Pick<Ending, 'isOver'>
  /** The durable length of the run's own log. */
  readonly kept: Kept
  readonly claim: Pick<Claim, 'renew'>
  /** Hears what is kept, of the run and of those below it. */
  readonly onKept: (runId: string, events: readonly Event[]) => void
  /** Nothing is being written any more. */
  readonly onCalm: () => void
}

/** A journal of which it is known what is kept, and whether something is being written. */
export interface WatchedJournal {
  readonly journal: Required<Journal>
  readonly isWriting: boolean
  /** Returns true if another writer, unaware of the current worker, has written to the log. */
  isBehind(): Promise<boolean>
}

export function watchedJournal(journal: Required<Journal>, options: WatchedJournalOptions): WatchedJournal {
  const { runId, host, ending, kept, claim, onKept, onCalm } = options
  let writing = 0
  const write = async <T>(work: () => T | PromiseLike<T>, then: () => void = () => {}): Promise<T> => {
    if (ending.isOver) return never()
    writing++
    const askedAt = host.now()
    try {
      const done = await work()
      claim.renew(askedAt)
      then()
      return done
    } catch (error) {
      // A failure that comes of going away is none of the run's.
      if (ending.isOver) return never()
      throw error
    } finally {
      writing--
      if (writing === 0) onCalm()
    }
  }
  const reach = (id: string, events: readonly Event[]): void => {
    const last = events.at(-1)
    if (id === runId && last) kept.reach(last.seq + 1)
  }
  return {
    get isWriting() {
      return writing > 0
    },
    async isBehind() {
      // A write under way tells by itself whether it is refused, and one that is taken is no sign of somebody else.
      while (writing > 0 && !ending.isOver) await pause(5, host)
      const from = kept.length
      const more = await journal.read(runId, from)
      return more.length > 0 && writing === 0 && kept.length === from
    },
    journal: decorateJournal(journal, () => ({
      append: (id, events, given) =>
        write(
          () => journal.append(id, events, given),
          () => {
            onKept(id, events)
            reach(id, events)
          },
        ),
      claim: (id, length) => write(() => journal.claim(id, length)),
      delete: (id) => write(() => journal.delete(id)),
      async read(id, from) {
        const events = await journal.read(id, from)
        reach(id, events)
        return events
      },
    })),
  }
}
