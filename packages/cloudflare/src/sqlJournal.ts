import { AgentError, type Event } from '@interleave/core'

import {
  checkKey,
  checkRunId,
  conflict,
  journalEngine,
  messageOf,
  noSummary,
  staleOwner,
  summarize,
} from '@interleave/core/internal'
import type { AppendOptions, Journal, ListOptions, RunSummary } from '@interleave/core/journal'
import type { SqlRow, SqlStorage } from './durableContext.ts'

import { type Exec, listSummaries, putSummary, shownSummary, sqlTables } from './sqlTables.ts'

/**
 * Creates a journal in the SQLite of a Durable Object: `sqlJournal(ctx.storage)`. Each write is one transaction, and
 * resolves when it is durable. Its tables begin with `interleave_`. Events of any size are stored in several rows.
 * Without room the run fails with `journal_full`.
 */
export function sqlJournal(storage: SqlStorage): Required<Journal> {
  const tables = sqlTables(storage)
  const { read } = tables
  const write = <T>(work: (exec: Exec) => T): T => {
    try {
      return tables.write(work)
    } catch (error) {
      if (!messageOf(error).includes('SQLITE_FULL')) throw error
      throw new AgentError('journal_full', 'The Durable Object has no room for more.', { cause: error })
    }
  }
  return {
    engine: journalEngine,
    append(runId: string, events: readonly Event[], { epoch }: AppendOptions = {}): Promise<void> | undefined {
      checkRunId(runId)
      if (events.length === 0) return undefined
      write((exec) => appendEvents(exec, { runId, events, epoch }))
      return storage.sync()
    },
    read(runId: string, from = 0): readonly Event[] {
      checkKey(runId)
      const query = 'SELECT seq, json FROM interleave_events WHERE run = ? AND seq >= ? ORDER BY seq, part'
      const events = readRecords(read(query, runId, from))
      // The first record may begin before the position.
      return from === 0 ? events : events.filter((event) => !(event.seq < from))
    },
    list: (options: ListOptions = {}): readonly RunSummary[] => listSummaries(tables, options),
    delete(runId: string): Promise<void> | undefined {
      checkKey(runId)
      const ofRun = (column: string): string => `(${column} = ?1 OR (${column} > ?1 || '/' AND ${column} < ?1 || '0'))`
      if (read(`SELECT id FROM interleave_runs WHERE ${ofRun('id')} LIMIT 1`, runId).length === 0) return undefined
      write((exec) => {
        exec(`DELETE FROM interleave_events WHERE ${ofRun('run')}`, runId)
        exec(`DELETE FROM interleave_runs WHERE ${ofRun('id')}`, runId)
      })
      return storage.sync()
    },
    claim(runId: string, length: number): number {
      checkKey(runId)
      return write((exec) => claimRun(exec, runId, length))
    },
  }
}

interface Appended {
  readonly runId: string
  readonly events: readonly Event[]
  readonly epoch: number | undefined
}

function appendEvents(exec: Exec, { runId, events, epoch }: Appended): void {
  const [run] = exec('SELECT * FROM interleave_runs WHERE id = ?', runId)
  const length = Number(run?.events ?? 0)
  const seq = events[0]?.seq ?? length
  if (seq !== length) throw conflict(runId, length, seq)
  if (epoch !== undefined && epoch !== run?.epoch) throw staleOwner(runId)
  const before = run && length > 0 ? shownSummary(run) : noSummary
  // The id of the key, whatever the first event says.
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

/**
 * Characters of one row. A row has two million bytes at most, and a character three of them in the worst case.
 */
const most = 500_000

/** Splits the JSON of a record into parts that fit into rows. Surrogate pairs stay together. */
export function toParts(json: string): readonly string[] {
  const parts: string[] = []
  for (let from = 0; from < json.length; ) {
    const end = from + most
    const isInPair = end < json.length && /[\uD800-\uDBFF]/.test(json.charAt(end - 1))
    parts.push(json.slice(from, isInPair ? end - 1 : end))
    from += parts.at(-1)?.length ?? most
  }
  return parts
}

/** Reads the events of ordered rows. An unreadable record becomes an invalid event. */
export function readRecords(rows: readonly SqlRow[]): readonly Event[] {
  const records = new Map<unknown, string>()
  for (const { seq, json } of rows) records.set(seq, (records.get(seq) ?? '') + String(json))
  return [...records.values()].flatMap(readRecord)
}

function readRecord(json: string): readonly Event[] {
  try {
    const events: unknown = JSON.parse(json)
    if (!Array.isArray(events)) throw new TypeError('It is not a list of events.')
    return events
  } catch (error) {
    return [{ type: 'damaged', why: messageOf(error), record: json } as unknown as Event]
  }
}
