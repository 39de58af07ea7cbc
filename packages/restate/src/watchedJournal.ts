import type { Event, Host } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import type { Claim } from './createClaim.ts'
import type { Ending } from './createEnding.ts'
import type { Kept } from './createKept.ts'
import { never } from './never.ts'
import { pause } from './pause.ts'

export interface WatchedJournalOptions {
  readonly runId: string
  readonly host: Pick<Host, 'now' | 'timer'>
  /** After it nothing is written. */
  readonly ending: Pick<Ending, 'isOver'>
  /** How much of the run's own log is. */
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
  /** Whether somebody who has not heard of who works here has written to the log. */
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
    journal: {
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
      list: (given) => journal.list(given),
    },
  }
}
