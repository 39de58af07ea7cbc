import { checkWholeFile, putLogs } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import { memoryJournal } from '@interleave/core/journal'
import type { Bodies, Visit } from '@interleave/server/internal'
import { forkRun } from '@interleave/server/internal'

/** A fork of another object's run that continues here. */
export interface ForkOrder {
  /** The file of that run. */
  readonly file: unknown
  readonly body: Bodies['fork']
}

/** Forks the run of a file. It is read as if it were in the journal, and never is. */
export async function takeFork(visit: Visit, { file, body }: ForkOrder): Promise<Response> {
  const { journal, runId } = visit
  const origin = memoryJournal()
  const { events, below } = checkWholeFile(file)
  await putLogs(origin, [...below, events])
  const isOfOrigin = (id: string): boolean => id === runId || id.startsWith(`${runId}/`)
  const both: Journal = {
    append: (id, events, options) => journal.append(id, events, options),
    read: (id, from) => (isOfOrigin(id) ? origin : journal).read(id, from),
    list: (options) => (options?.below === runId ? origin : journal).list(options),
    delete: (id) => journal.delete(id),
  }
  return forkRun({ ...visit, journal: both }, body)
}
