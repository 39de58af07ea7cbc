import type { Event } from '../event.ts'
import type { Journal } from '../journal.ts'
import { runIdOf } from '../runFile.ts'

/** Puts the logs of new runs into a journal: all of them, or none. */
export async function putLogs(journal: Journal, logs: readonly (readonly Event[])[]): Promise<void> {
  const written: string[] = []
  try {
    for (const log of logs) {
      await journal.append(runIdOf(log), log)
      written.push(runIdOf(log))
    }
  } catch (error) {
    // What went wrong first says more than what goes wrong now.
    await Promise.allSettled(written.map(async (id) => journal.delete(id)))
    throw error
  }
}
