import type { Event } from './event.ts'
import type { Journal } from './journal.ts'
import { toJournalError } from './journalError.ts'

/** A log of a journal, as it is there. What cannot be read now may be read later, and is no fault of who wants to know it. */
export async function readLog(journal: Journal, runId: string): Promise<readonly Event[]> {
  try {
    return await journal.read(runId)
  } catch (error) {
    throw toJournalError(error, 'read')
  }
}
