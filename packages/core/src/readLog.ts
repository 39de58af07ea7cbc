import type { Event } from './event.ts'
import type { JournalStore } from './journal.ts'
import { toJournalError } from './journalError.ts'

/** Reads a log from a journal. A read error may be temporary, and is not the caller's fault. */
export async function readLog(journal: JournalStore, runId: string): Promise<readonly Event[]> {
  try {
    return await journal.read(runId)
  } catch (error) {
    throw toJournalError(error, 'read')
  }
}
