import type { Event } from '../event.ts'
import { type Host, localHost } from '../host.ts'
import type { Journal } from '../journal.ts'
import { toJournalError } from '../journalError.ts'
import { idChange, renameRun } from '../renameRun.ts'
import { checkWholeFile, runIdOf } from '../runFile.ts'
import { asImported } from './asImported.ts'
import { putLogs } from './putLogs.ts'

export interface ImportOptions {
  /** Where the run goes. */
  readonly journal: Journal
  /** Gives the new id where there has to be one. */
  readonly host?: Pick<Host, 'newId'>
}

/**
 * Puts a file's run with its child runs into a journal, and returns its id: the same, or a new one if the journal has a
 * run of that id, a child of it, or a parent of it. A run with a new id is a separate run, so what was open in the file
 * is done once by each.
 *
 * The run waits: resuming it by its id does nothing until a user calls `run.resume()` or `say()`. Then everything that
 * is open is asked again, whatever the file says was approved or answered; for a call that may already have run, a user
 * is asked. A final answer or failure stays.
 *
 * Throws `log_invalid` for a file that is damaged or of a later version, and the journal's errors, such as
 * `journal_full`. The journal then contains nothing of the run.
 */
export async function importRun(file: unknown, { journal, host = localHost }: ImportOptions): Promise<string> {
  const { runId, events, below } = checkWholeFile(file)
  // Those below first: where this one is, they are.
  const logs = [...below, withoutParent(events)].map(asImported)
  try {
    const id = (await isTaken(journal, logs)) ? host.newId() : runId
    const change = idChange(runId, id)
    await putLogs(
      journal,
      logs.map((log) => renameRun(log, change)),
    )
    return id
  } catch (error) {
    throw toJournalError(error)
  }
}

/** A run of a file works for no run that is here. */
function withoutParent([first, ...others]: readonly Event[]): readonly Event[] {
  if (first?.type !== 'started') return others
  const { parent: _, ...started } = first
  return [started, ...others]
}

/** Returns true if the journal has one of these runs, a child or a parent of them. */
async function isTaken(journal: Journal, logs: readonly (readonly Event[])[]): Promise<boolean> {
  const ids = logs.map(runIdOf)
  const runId = ids.at(-1) ?? ''
  const parts = runId.split('/')
  const above = parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
  const found = await Promise.all([...ids, ...above.filter(Boolean)].map(async (id) => (await journal.read(id)).length))
  if (found.some((length) => length > 0)) return true
  return (await journal.list({ below: runId, limit: 1 })).some((child) => child.runId.startsWith(`${runId}/`))
}
