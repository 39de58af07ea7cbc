import type { Event } from '../event.ts'
import { type Host, localHost } from '../host.ts'
import type { Journal } from '../journal.ts'
import { toJournalError } from '../journalError.ts'
import { idChange, renameRun } from '../renameRun.ts'
import { checkWholeFile, runIdOf } from '../runFile.ts'

export interface ImportOptions {
  /** Where the run goes. */
  readonly journal: Journal
  /** Gives the new id where there has to be one. */
  readonly host?: Pick<Host, 'newId'>
}

/**
 * Puts the run of a file into a journal, with those below it, and gives its id: the same, or a new one if the journal has a
 * run of that id, or one below it. A run with a new id is another run, so what was open when it was exported is done for each of the two.
 * Throws `log_invalid` for a file that is damaged or of a later version, and what the journal throws, such as `journal_full`; nothing
 * of the run is in the journal then.
 */
export async function importRun(file: unknown, { journal, host = localHost }: ImportOptions): Promise<string> {
  const { runId, events, below } = checkWholeFile(file)
  // Those below first: where this one is, they are.
  const logs = [...below, events]
  try {
    const lengths = await Promise.all(logs.map(async (log) => (await journal.read(runIdOf(log))).length))
    const id = lengths.some((length) => length > 0) ? host.newId() : runId
    const change = idChange(runId, id)
    await appendAll(
      journal,
      logs.map((log) => renameRun(log, change)),
    )
    return id
  } catch (error) {
    throw toJournalError(error)
  }
}

/** All of them, or none. */
async function appendAll(journal: Journal, logs: readonly (readonly Event[])[]): Promise<void> {
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
