import { AgentError, type Event } from '@interleave/core'
import { checkList, jsonIn, messageOf, storedSummary, wholeNumber } from '@interleave/core/internal'
import type { ListOptions, RunSummary } from '@interleave/core/journal'

/** A column's value. */
export type SqlValue = string | number | ArrayBuffer | null
export type SqlRow = Readonly<Record<string, SqlValue>>

/** A SQLite database, as the storage of a Durable Object has it. */
export interface SqlStorage {
  readonly sql: {
    exec(query: string, ...bindings: SqlValue[]): { toArray(): SqlRow[] }
  }
  /** Runs work whose writes happen together, or not at all. */
  transactionSync<T>(work: () => T): T
  /** Resolves when all writes are durable. */
  sync(): Promise<void>
}

/** Returns a run's list entry, valid also if the row is damaged. */
export function shownSummary({ id, events, agent, updated_at: at, summary }: SqlRow): RunSummary {
  const columns = { events: Number(events), agent: String(agent ?? ''), updatedAt: Number(at ?? 0) }
  return storedSummary(String(id), { ...Object(jsonIn(String(summary))), ...columns })
}

export function putSummary(exec: Exec, summary: RunSummary): void {
  const { runId, events, agent, updatedAt } = summary
  exec(
    `INSERT INTO interleave_runs (id, events, agent, updated_at, summary) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET
       events = excluded.events, agent = excluded.agent, updated_at = excluded.updated_at, summary = excluded.summary`,
    runId,
    events,
    agent,
    updatedAt,
    JSON.stringify(summary),
  )
}

/** Returns runs that have events, in the order of a list. */
export function listSummaries({ read }: SqlTables, options: ListOptions): readonly RunSummary[] {
  const { query, values } = listQuery(options)
  return read(query, ...values).map(shownSummary)
}

/** Returns the query of a list, with `?` for each value. */
export function listQuery(options: ListOptions): { readonly query: string; readonly values: readonly SqlValue[] } {
  const { agent, below, before, limit } = checkList(options)
  const [time, id] = typeof before === 'object' ? [before.updatedAt, before.runId] : [before, undefined]
  const conditions: readonly (readonly [string, ...SqlValue[]] | false)[] = [
    ['events > ?', 0],
    agent !== undefined && ['agent = ?', agent],
    // "0" comes right after "/".
    below !== undefined && ['id >= ? AND id < ?', `${below}/`, `${below}0`],
    time !== undefined && id === undefined && ['updated_at < ?', time],
    time !== undefined && id !== undefined && ['(updated_at, id) < (?, ?)', time, id],
  ]
  const chosen = conditions.filter((each) => each !== false)
  const where = chosen.map(([text]) => text).join(' AND ')
  const query = `SELECT * FROM interleave_runs WHERE ${where} ORDER BY updated_at DESC, id DESC LIMIT ?`
  return { query, values: [...chosen.flatMap(([, ...values]) => values), wholeNumber(limit)] }
}

/** Returns the error of a write that a database has no room for. A user can make room. */
export function noRoom(cause: unknown): AgentError {
  const advice = 'Keep the run with exportRun(run), delete old ones with prune(), and resume() it.'
  const message = `The database has no room (${messageOf(cause)}). ${advice}`
  return new AgentError('journal_full', message, { cause, retryable: true })
}

/** The tables of a journal. The first write creates them, and a read does not. */
export interface SqlTables {
  read(query: string, ...bindings: SqlValue[]): readonly SqlRow[]
  /** Runs work whose writes happen together, or not at all. */
  write<T>(work: (exec: Exec) => T): T
}
export type Exec = (query: string, ...bindings: SqlValue[]) => readonly SqlRow[]

// Events that were written together are one record, by the `seq` of the last of them; a record that exceeds a row has
// several rows. A run that is claimed and has no events yet has only an epoch. There is no index by time: each written
// row costs money, and a list that reads one row for each run costs less.
const tables = [
  `CREATE TABLE interleave_runs (
    id TEXT PRIMARY KEY, events INTEGER NOT NULL, epoch INTEGER, agent TEXT, updated_at REAL, summary TEXT
  ) WITHOUT ROWID`,
  `CREATE TABLE interleave_events (
    run TEXT NOT NULL, seq INTEGER NOT NULL, part INTEGER NOT NULL, json TEXT NOT NULL, PRIMARY KEY (run, seq, part)
  ) WITHOUT ROWID`,
  'CREATE TABLE interleave_counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID',
]

/** The index for databases with many runs, whose writes are not paid for by the row. */
export const timeIndex = 'CREATE INDEX IF NOT EXISTS interleave_runs_by_time ON interleave_runs (updated_at, id)'

/** Creates the tables on demand. Other processes may create the tables of the same file. */
export function sqlTables(storage: SqlStorage, extra: readonly string[] = []): SqlTables {
  const exec: Exec = (query, ...bindings) => storage.sql.exec(query, ...bindings).toArray()
  let isReady = false
  const areThere = (): boolean => {
    isReady ||= exec("SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'interleave_runs'").length > 0
    return isReady
  }
  return {
    read: (query, ...bindings) => (areThere() ? exec(query, ...bindings) : []),
    write(work) {
      const done = storage.transactionSync(() => {
        if (!areThere()) for (const table of [...tables, ...extra]) exec(table)
        return work(exec)
      })
      isReady = true
      return done
    },
  }
}

/** The maximum characters of one row, which has two million bytes at most. A character has up to three. */
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

/** Reads the events of ordered rows, from a position. An unreadable record becomes an invalid event. */
export function readRecords(rows: readonly SqlRow[], from = 0): readonly Event[] {
  const records = new Map<unknown, string>()
  for (const { seq, json } of rows) records.set(seq, (records.get(seq) ?? '') + String(json))
  const events = [...records.values()].flatMap(readRecord)
  return from === 0 ? events : events.filter((event) => !(event.seq < from))
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
