import { checkOptions, checkStore } from '#checks'
import { fold } from '../changes/all.ts'
import { isConflict } from '../error.ts'
import type { Event } from '../event.ts'
import { type Host, localHost } from '../host.ts'
import { type JournalStore, listedRuns, readLog, toJournalError } from '../journal.ts'
import { sameStored } from '../json.ts'
import { importedSignal } from '../signal.ts'
import { denyConsent } from './consent.ts'
import { checkWholeFile, idChange, renameRun, runIdOf } from './runFile.ts'

export interface ImportOptions {
  /** The journal that the run goes into. */
  readonly journal: JournalStore
  /** Creates the new id if one is needed. */
  readonly host?: Pick<Host, 'newId'>
}

/**
 * Puts a file's run with its child runs into a journal, and returns its id: the same, or a new one if the journal has a
 * run of that id, a child of it, or a parent of it. A run with a new id is a separate run, so both do the work that was
 * open in the file.
 *
 * The run waits: resuming it by its id does nothing until a user calls `run.resume()` or `say()`. Then open questions and
 * approvals are asked again, whatever the file says was approved or answered; for an `atMostOnce` call that may already have
 * run, a user is asked. An open call of a tool without `approve` runs. A final answer or failure stays.
 *
 * Throws `log_invalid` for a file that is damaged or of a later version, and the journal's errors, such as
 * `journal_full`. The journal then contains nothing of the run.
 */
export async function importRun(file: unknown, options: ImportOptions): Promise<string> {
  checkOptions('importRun()', options, ['journal', 'host'])
  const { journal, host = localHost } = options
  checkStore(journal, 'importRun()')
  const { runId, events, below } = checkWholeFile(file)
  // Child runs first: if the journal has the run, it has its child runs.
  const logs = [...below, withoutParent(events)].map(asImported)
  const put = async (id: string): Promise<string> => {
    const change = idChange(runId, id)
    await putLogs(
      journal,
      logs.map((log) => renameRun(log, change)),
    )
    return id
  }
  try {
    if (await isTaken(journal, logs)) return await put(host.newId())
    // Another import may take the id meanwhile.
    return await put(runId).catch((error: unknown) => {
      if (!isConflict(error)) throw error
      return put(host.newId())
    })
  } catch (error) {
    throw toJournalError(error)
  }
}

/** Removes the parent, since an imported run has none here. */
export function withoutParent([first, ...others]: readonly Event[]): readonly Event[] {
  if (first?.type !== 'started') return others
  const { parent: _, ...started } = first
  return [started, ...others]
}

/** Returns true if the journal has one of these runs, a child or a parent of them. */
async function isTaken(journal: JournalStore, logs: readonly (readonly Event[])[]): Promise<boolean> {
  const ids = logs.map(runIdOf)
  const runId = ids.at(-1) ?? ''
  const parts = runId.split('/')
  const above = parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
  const found = await Promise.all(
    [...ids, ...above.filter(Boolean)].map(async (id) => (await readLog(journal, id)).length),
  )
  if (found.some((length) => length > 0)) return true
  return (await listedRuns(journal, { below: runId, limit: 1 })).some((child) => child.runId.startsWith(`${runId}/`))
}

/** Returns a foreign log as it is accepted: paused, with `imported` at its end. */
export function asImported(log: readonly Event[]): readonly Event[] {
  const events = denyConsent(log)
  const { seq, iteration, signal, updatedAt: at } = fold(events)
  const imported = { type: 'imported', seq, at, iteration } as const
  if (signal?.type === 'answer' || signal?.type === 'failed') return [...events, imported]
  // The state settles without it, but everything that shows a run's signals needs the event.
  return [...events, imported, { type: 'settled', seq: seq + 1, at, iteration, signal: importedSignal }]
}

/** Returns true if a log was imported after `length` events, so the part before is foreign too. */
export const isImportedAfter = (log: readonly Event[], length: number): boolean =>
  log.some(({ type, seq }) => type === 'imported' && seq >= length)

/** Puts the logs of new runs into a journal: all of them, or none. */
export async function putLogs(journal: JournalStore, logs: readonly (readonly Event[])[]): Promise<void> {
  const written: string[] = []
  for (const log of logs) {
    const runId = runIdOf(log)
    try {
      await journal.append(runId, log)
    } catch (error) {
      // A write that seems to fail may still have reached the journal, unless the journal itself rejects it.
      const isUnsure = toJournalError(error).code === 'journal_failed'
      const isWritten = isUnsure && (await hasLog(journal, log))
      await discard(journal, isWritten ? [...written, runId] : written)
      throw error
    }
    written.push(runId)
  }
}

/** Returns true if a journal has this log. Only the ends are compared: before, it had no run of this id. */
async function hasLog(journal: JournalStore, log: readonly Event[]): Promise<boolean> {
  const stored = await readLog(journal, runIdOf(log)).catch(() => [])
  return stored.length === log.length && [0, -1].every((index) => sameStored(stored.at(index), log.at(index)))
}

/** Deletes runs after an error. Ignores errors of its own, since the first one is more useful. */
export const discard = (journal: JournalStore, runIds: readonly string[]): Promise<unknown> =>
  Promise.allSettled(runIds.map(async (id) => journal.delete(id)))
