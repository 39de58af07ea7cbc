import type { Event } from '@interleave/core'
import type { Journal, RunFile } from '@interleave/core/journal'
import type { ServerRuns } from '../remote/serverRuns.ts'
import { textOf } from '../run/messages.ts'
import type { ServedPlace } from '../workers/Place.ts'
import type { RunRecord } from './checkRecord.ts'
import type { PageStorage } from './PageStorage.ts'
import { serverOf } from './serverOf.ts'

/** A run that was deleted, with all that is needed to bring it back. */
export interface TakenOut {
  readonly runId: string
  readonly title: string
  /** Its log and those of its child runs, as they were stored, valid or damaged. Empty if they could not be read. */
  readonly logs: readonly StoredLog[]
  readonly record: RunRecord | undefined
  /** The place on the server, for a run that was there. */
  readonly served?: { readonly by: ServedPlace; readonly file: RunFile }
}

type StoredLog = readonly [runId: string, log: readonly Event[]]

/** Deletes a run, and returns the data with which `putBack()` restores it. */
export async function takeOut(storage: PageStorage, runId: string): Promise<TakenOut> {
  const { journal, records } = storage
  const server = await serverOf(storage, runId)
  if (server) return takeOffServer(storage, server, runId)
  const runs = await journal.list({ limit: 1_000_000 })
  const title = runs.find((run) => run.runId === runId)?.title ?? ''
  const ids = [runId, ...runs.map((run) => run.runId).filter((id) => id.startsWith(`${runId}/`))]
  const logs = await readLogs(journal, ids).catch(() => [])
  const record = await records.get(runId)
  await journal.delete(runId)
  await records.delete(runId)
  return { runId, title, logs, record }
}

async function takeOffServer({ records }: PageStorage, server: ServerRuns, runId: string): Promise<TakenOut> {
  const file = await server.file(runId)
  const said = file.events.find((event) => event.type === 'said')
  const record = await records.get(runId)
  await server.delete(runId)
  await records.delete(runId)
  return { runId, title: said ? textOf(said.content) : '', logs: [], record, served: { by: server.place, file } }
}

const readLogs = (journal: Journal, ids: readonly string[]): Promise<readonly StoredLog[]> =>
  Promise.all(ids.map(async (id) => [id, await journal.read(id)] as const))

export async function putBack(
  { journal, records, servers }: PageStorage,
  { runId, logs, record, served }: TakenOut,
): Promise<void> {
  // Restores the record first: without it, the log could not be opened.
  if (record) await records.put(record)
  if (served) await servers?.[served.by].bring(served.file, runId)
  for (const [id, log] of logs) await journal.append(id, log)
}
