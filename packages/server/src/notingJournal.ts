import { isConflict } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'

/** Wraps a journal so that it reports as soon as another owner takes over a run. */
export function notingJournal(journal: Journal, runId: string, onConflict: () => void): Journal {
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
    append: (id, events, options) => noting(id, () => journal.append(id, events, options)),
    read: (id, from) => journal.read(id, from),
    list: (options) => journal.list(options),
    delete: (id) => journal.delete(id),
    ...(claim && { claim: (id: string, length: number) => noting(id, () => claim(id, length)) }),
  }
}
