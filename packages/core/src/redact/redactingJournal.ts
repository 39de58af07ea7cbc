import type { Journal, WatchableJournal } from '../journal.ts'
import { createRedactor, type Redactor } from './createRedactor.ts'
import type { RedactOptions } from './RedactOptions.ts'
import { withoutPieces } from './withoutPieces.ts'

/** So many runs are remembered at once. What is forgotten is only which words of a run were secret by the name of a member. */
const mostRuns = 1_000

/**
 * Wraps a journal so that it receives everything without secrets. A running run still knows them; a run that resumes
 * from the journal does not: its open calls and its model get marks instead. A turn that is cut off is stored once it
 * is complete, not partially.
 */
export function redactingJournal(journal: Journal, options: RedactOptions = {}): Journal {
  const redactors = new Map<string, Redactor>()
  const claim = journal.claim?.bind(journal)
  const watch = (journal as Partial<WatchableJournal>).watch?.bind(journal)

  const redactorOf = (runId: string): Redactor => {
    const redactor = redactors.get(runId) ?? createRedactor(options)
    redactors.delete(runId)
    redactors.set(runId, redactor)
    const [oldest] = redactors.keys()
    if (redactors.size > mostRuns && oldest !== undefined) redactors.delete(oldest)
    return redactor
  }
  return {
    append: (runId, events, append) =>
      journal.append(runId, redactorOf(runId).redact(events.map(withoutPieces)), append),
    read: (runId, from) => journal.read(runId, from),
    list: (list) => journal.list(list),
    delete(runId) {
      redactors.delete(runId)
      return journal.delete(runId)
    },
    ...(claim && { claim }),
    ...(watch && { watch }),
  }
}
