import { isConflict } from '../isConflict.ts'
import type { Journal } from '../journal.ts'

export interface JournalNotes {
  /** The journal has so many events of the run. */
  readonly onKept: (length: number) => void
  /** Somebody else has gone on with it. */
  readonly onConflict: () => void
}

/** A journal that tells how it fares with one run, as soon as it does. */
export function notingJournal(journal: Journal, runId: string, { onKept, onConflict }: JournalNotes): Journal {
  const claim = journal.claim?.bind(journal)
  const noting = async <T>(id: string, work: () => T | PromiseLike<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (id === runId && isConflict(error)) onConflict()
      throw error
    }
  }
  return {
    async append(id, events, options) {
      await noting(id, () => journal.append(id, events, options))
      const last = events.at(-1)
      if (last && id === runId) onKept(last.seq + 1)
    },
    read: (id, from) => journal.read(id, from),
    list: (options) => journal.list(options),
    delete: (id) => journal.delete(id),
    ...(claim && { claim: (id: string, length: number) => noting(id, () => claim(id, length)) }),
  }
}
