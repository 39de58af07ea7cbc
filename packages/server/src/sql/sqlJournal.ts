import type { Event } from '@interleave/core'
import {
  checkArgument,
  checkRunId,
  checkStoredKey,
  conflict,
  journalEngine,
  messageOf,
  noSummary,
  staleOwner,
  summarize,
  wholeNumber,
} from '@interleave/core/internal'
import type { AppendOptions, Journal, ListOptions, RunSummary } from '@interleave/core/journal'
import {
  type Exec,
  listSummaries,
  noRoom,
  putSummary,
  readRecords,
  type SqlStorage,
  type SqlTables,
  shownSummary,
  sqlTables,
  toParts,
} from './sqlTables.ts'

/**
 * Creates a journal in the SQLite of a Durable Object: `sqlJournal(ctx.storage)`. Each write is one transaction, and
 * resolves when it is durable. Its tables begin with `interleave_`. Events of any size are stored in several rows. If
 * the database is full, the run fails with `journal_full`.
 */
export function sqlJournal(storage: SqlStorage): Required<Journal> {
  checkArgument(storage, 'storage of sqlJournal()', 'an object with transactionSync() and sync()')
  return journalIn(storage, sqlTables(storage))
}

/** Creates a journal in these tables. */
export function journalIn(
  storage: Pick<SqlStorage, 'sync'>,
  tables: SqlTables,
  identity: string | null = null,
): Required<Journal> {
  const write = <T>(work: (exec: Exec) => T): T => {
    try {
      return tables.write(work)
    } catch (error) {
      if (!/SQLITE_FULL|database or disk is full/.test(messageOf(error))) throw error
      throw noRoom(error)
    }
  }
  return {
    engine: journalEngine,
    identity,
    append(runId: string, events: readonly Event[], { epoch }: AppendOptions = {}): Promise<void> | undefined {
      checkRunId(runId)
      if (events.length === 0) return undefined
      write((exec) => appendEvents(exec, { runId, events, epoch }))
      return storage.sync()
    },
    read(runId: string, from = 0): readonly Event[] {
      checkStoredKey(runId)
      const query = 'SELECT seq, json FROM interleave_events WHERE run = ? AND seq >= ? ORDER BY seq, part'
      const first = wholeNumber(from)
      return readRecords(tables.read(query, runId, first), first)
    },
    list: (options: ListOptions = {}): readonly RunSummary[] => listSummaries(tables, options),
    delete(runId: string): Promise<void> | undefined {
      checkStoredKey(runId)
      if (tables.read(`SELECT id FROM interleave_runs WHERE ${ofRun('id')} LIMIT 1`, runId).length === 0) return
      write((exec) => {
        exec(`DELETE FROM interleave_events WHERE ${ofRun('run')}`, runId)
        exec(`DELETE FROM interleave_runs WHERE ${ofRun('id')}`, runId)
      })
      return storage.sync()
    },
    claim(runId: string, length: number): number {
      checkStoredKey(runId)
      return write((exec) => claimRun(exec, runId, length))
    },
  }
}

/** The condition for a run and its child runs. "0" comes right after "/". */
const ofRun = (column: string): string => `(${column} = ?1 OR (${column} >= ?1 || '/' AND ${column} < ?1 || '0'))`

interface Appended {
  readonly runId: string
  readonly events: readonly Event[]
  readonly epoch: number | undefined
}

function appendEvents(exec: Exec, { runId, events, epoch }: Appended): void {
  const [run] = exec('SELECT * FROM interleave_runs WHERE id = ?', runId)
  const length = Number(run?.events ?? 0)
  const seq = events[0]?.seq ?? 0
  if (seq !== length) throw conflict(runId, length, seq, typeof run?.epoch === 'number' ? run.epoch : undefined)
  if (epoch !== undefined && epoch !== run?.epoch) throw staleOwner(runId)
  const before = run && length > 0 ? shownSummary(run) : noSummary
  // The id under which the run is stored, even if its first event has another one.
  putSummary(exec, { ...summarize(before, events), runId })
  for (const [part, json] of toParts(JSON.stringify(events)).entries()) {
    const values = [runId, length + events.length - 1, part, json]
    exec('INSERT INTO interleave_events (run, seq, part, json) VALUES (?, ?, ?, ?)', ...values)
  }
}

function claimRun(exec: Exec, runId: string, length: number): number {
  const [run] = exec('SELECT events FROM interleave_runs WHERE id = ?', runId)
  const now = Number(run?.events ?? 0)
  if (length !== now) throw conflict(runId, now, length)
  const [counter] = exec(
    `INSERT INTO interleave_counters (name, value) VALUES ('epoch', 1)
     ON CONFLICT (name) DO UPDATE SET value = value + 1 RETURNING value`,
  )
  const epoch = Number(counter?.value)
  exec(
    `INSERT INTO interleave_runs (id, events, epoch) VALUES (?, 0, ?)
     ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch`,
    runId,
    epoch,
  )
  return epoch
}
