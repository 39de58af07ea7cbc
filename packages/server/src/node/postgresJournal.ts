import type { AgentError, Event } from '@interleave/core'
import {
  assertOption,
  checkRunId,
  checkStoredKey,
  conflict,
  journalEngine,
  noSummary,
  passing,
  staleOwner,
  summarize,
  wholeNumber,
} from '@interleave/core/internal'
import type {
  AppendOptions,
  Journal,
  JournalStore,
  ListOptions,
  RunSummary,
  TimedJournal,
} from '@interleave/core/journal'
import { listQuery, noRoom, readRecords, type SqlRow, type SqlValue, shownSummary } from '../sql/sqlTables.ts'

/** A connection to PostgreSQL: a `Pool` or `Client` of `pg`, a PGlite, or anything else with this method. */
export interface PostgresClient {
  // biome-ignore lint/suspicious/noExplicitAny: each of the libraries has a type of its own for what it binds.
  query(text: string, values: any[]): PromiseLike<{ readonly rows: readonly unknown[] }>
}

/**
 * The tables of a `postgresJournal`, one statement each, for migrations of your own. All can be executed again.
 *
 * A run's events that were written together are one record, by the `seq` of the last one. The collation makes ids
 * compare by their bytes, so that a run's child runs are a range.
 */
export const postgresTables: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS interleave_runs (
    id text COLLATE "C" PRIMARY KEY, events integer NOT NULL, epoch bigint, agent text, updated_at double precision, summary text
  )`,
  'ALTER TABLE interleave_runs ADD COLUMN IF NOT EXISTS written_at timestamptz NOT NULL DEFAULT now()',
  'CREATE INDEX IF NOT EXISTS interleave_runs_by_time ON interleave_runs (updated_at, id)',
  `CREATE TABLE IF NOT EXISTS interleave_events (
    run text COLLATE "C" REFERENCES interleave_runs ON DELETE CASCADE, seq integer, json text NOT NULL, PRIMARY KEY (run, seq)
  )`,
  'CREATE SEQUENCE IF NOT EXISTS interleave_epochs',
]

/**
 * Creates a journal in PostgreSQL, which any number of processes may share. Each write is one atomic statement, so a
 * pool, a connection and a stateless HTTP driver all work. Its tables begin with `interleave_`; the first write creates
 * them, or create them yourself from `postgresTables`. If the database is full, the run fails with `journal_full`.
 *
 * @example
 * import pg from 'pg'
 * const journal = postgresJournal(new pg.Pool({ connectionString: process.env.DATABASE_URL }))
 */
export function postgresJournal(client: PostgresClient): Required<Journal> & TimedJournal {
  assertOption(
    typeof Object(client).query === 'function',
    'postgresJournal() needs a connection with the method `query`, such as new pg.Pool({ connectionString }).',
  )
  const store = new PostgresStore(client)
  return {
    engine: journalEngine,
    identity: identityOf(client),
    append: (runId, events, options) => store.append(runId, events, options),
    read: (runId, from) => store.read(runId, from),
    list: (options) => store.list(options),
    delete: (runId) => store.delete(runId),
    claim: (runId, length) => store.claim(runId, length),
    idleMs: (runId) => store.idleMs(runId),
  }
}

/** Returns the identity of a database that a `Pool` or `Client` of `pg` connects to. Other connections are only objects. */
function identityOf(client: object): string | null {
  const { options, connectionParameters = options } = client as { options?: unknown; connectionParameters?: unknown }
  if (typeof connectionParameters !== 'object' || connectionParameters === null) return null
  const names = ['connectionString', 'host', 'port', 'database', 'user', 'options'] as const
  const given = names.map((name) => (connectionParameters as { readonly [name: string]: unknown })[name])
  // Without any of them, the environment decides, or it is a connection of another library.
  return given.some((value) => value !== undefined) ? `postgres ${JSON.stringify(given)}` : null
}

class PostgresStore implements JournalStore {
  readonly #client: PostgresClient
  #hasTables = false

  constructor(client: PostgresClient) {
    this.#client = client
  }

  async append(runId: string, events: readonly Event[], { epoch }: AppendOptions = {}): Promise<void> {
    checkRunId(runId)
    const [first] = events
    if (!first) return
    await this.#createTables()
    const run = await this.#findRun(runId)
    const length = Number(run?.events ?? 0)
    if (first.seq !== length) throw conflict(runId, length, first.seq, toEpoch(run?.epoch))
    if (epoch !== undefined && epoch !== toEpoch(run?.epoch)) throw staleOwner(runId)
    // The id under which the run is stored, even if its first event has another one.
    const summary = { ...summarize(run && length > 0 ? shownSummary(run) : noSummary, events), runId }
    const { agent, updatedAt } = summary
    const rows = await this.#query(run ? append : begin, [
      ...[runId, length, epoch ?? null, summary.events, agent, updatedAt],
      ...[JSON.stringify(summary), JSON.stringify(events)],
    ])
    // Another process was faster.
    if (rows.length === 0) throw await this.#refusal(runId, first.seq)
  }

  async read(runId: string, from = 0): Promise<readonly Event[]> {
    checkStoredKey(runId)
    const query = 'SELECT seq, json FROM interleave_events WHERE run = $1 AND seq >= $2 ORDER BY seq'
    const first = wholeNumber(from)
    return readRecords(await this.#read(query, [runId, first]), first)
  }

  async list(options: ListOptions = {}): Promise<readonly RunSummary[]> {
    const { query, values } = listQuery(options)
    let count = 0
    const numbered = query.replaceAll('?', () => `$${++count}`)
    return (await this.#read(numbered, values)).map(shownSummary)
  }

  async delete(runId: string): Promise<void> {
    checkStoredKey(runId)
    const statement = 'DELETE FROM interleave_runs WHERE id = $1 OR (id >= $2 AND id < $3)'
    await this.#read(statement, [runId, `${runId}/`, `${runId}0`])
  }

  async claim(runId: string, length: number): Promise<number> {
    checkStoredKey(runId)
    await this.#createTables()
    const [run] = await this.#query(length === 0 ? claimNew : claim, [runId, length])
    if (!run) throw await this.#refusal(runId, length)
    return Number(run.epoch)
  }

  async idleMs(runId: string): Promise<number | undefined> {
    checkStoredKey(runId)
    await this.#createTables()
    const query =
      'SELECT extract(epoch FROM now() - written_at)::double precision * 1000 AS ms FROM interleave_runs WHERE id = $1'
    const [row] = await this.#read(query, [runId])
    return row && Number(row.ms)
  }

  async #findRun(runId: string): Promise<SqlRow | undefined> {
    return (await this.#query('SELECT * FROM interleave_runs WHERE id = $1', [runId]))[0]
  }

  /** Returns the error of a statement that compares a run's length, and maybe its epoch, and changed nothing. */
  async #refusal(runId: string, length: number): Promise<AgentError> {
    const run = await this.#findRun(runId)
    const now = Number(run?.events ?? 0)
    return now === length ? staleOwner(runId) : conflict(runId, now, length, toEpoch(run?.epoch))
  }

  async #query(text: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]> {
    try {
      const { rows } = await this.#client.query(text, values.map(toText))
      return (rows as readonly SqlRow[]).map(fromText)
    } catch (error) {
      if (isFull(error)) throw noRoom(error)
      throw isPassing(error) ? passing(error) : error
    }
  }

  /** Reads rows. Without the tables there are none. */
  async #read(text: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]> {
    try {
      return await this.#query(text, values)
    } catch (error) {
      if (codeOf(error) === undefinedTable) return []
      throw error
    }
  }

  /** Creates the tables. Nobody waits for another caller, whose connection may be one that never answers. */
  async #createTables(): Promise<void> {
    if (this.#hasTables) return
    const [row] = await this.#query(hasTables, [])
    if (!row?.found) await this.#query(createTables, [])
    this.#hasTables = true
  }
}

const hasTables = `SELECT to_regclass('interleave_epochs') IS NOT NULL AND EXISTS (
  SELECT FROM pg_attribute WHERE attrelid = to_regclass('interleave_runs') AND attname = 'written_at' AND NOT attisdropped
) AS found`

/**
 * Creates the tables, one process at a time: in spite of IF NOT EXISTS, two that create the same table at once collide
 * in the catalog.
 */
const createTables = `DO $$ BEGIN PERFORM pg_advisory_xact_lock(hashtext('interleave_tables')); ${postgresTables.join('; ')}; END $$`

/** $1 id, $2 length, $3 epoch or null, $4 length after it, $5 agent, $6 time, $7 summary, $8 events */
const record = 'INSERT INTO interleave_events (run, seq, json) SELECT id, events - 1, $8::text FROM run RETURNING seq'
const append = `WITH run AS (
  UPDATE interleave_runs SET events = $4, agent = $5, updated_at = $6, summary = $7, written_at = now()
  WHERE id = $1 AND events = $2 AND ($3::bigint IS NULL OR epoch = $3) RETURNING id, events
) ${record}`
const begin = `WITH run AS (
  INSERT INTO interleave_runs (id, events, agent, updated_at, summary) SELECT $1::text, $4::integer, $5::text, $6::double precision, $7::text
  WHERE $2::integer = 0 AND $3::bigint IS NULL ON CONFLICT DO NOTHING RETURNING id, events
) ${record}`

const claim = `UPDATE interleave_runs SET epoch = nextval('interleave_epochs'), written_at = now() WHERE id = $1 AND events = $2 RETURNING epoch`
const claimNew = `INSERT INTO interleave_runs AS run (id, events, epoch) VALUES ($1, $2, nextval('interleave_epochs'))
  ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch, written_at = now() WHERE run.events = 0 RETURNING epoch`

const undefinedTable = '42P01'

/** Returns true for a full disk (53100), or a value that a column cannot hold (54000). */
const isFull = (error: unknown): boolean => /^(?:53100|54000)$/.test(String(codeOf(error)))

/**
 * Returns true for a failure that may pass: a failover, a lost connection, too many of them, a lock, a timeout. An error
 * without a SQLSTATE is of the connection.
 */
const isPassing = (error: unknown): boolean => {
  const state = String(codeOf(error))
  return !/^[0-9A-Z]{5}$/.test(state) || /^(?:08|40|53|57|58|25006|55P03)/.test(state)
}

/** Returns the SQLSTATE of an error of PostgreSQL. */
const codeOf = (error: unknown): unknown => (Object(error) as { readonly code?: unknown }).code

/**
 * Replaces U+0000, which PostgreSQL does not allow in texts, but an id may contain. Both replacements keep the order,
 * and JSON has neither.
 */
const toText = (value: SqlValue): SqlValue =>
  typeof value === 'string' ? value.replaceAll('\u0001', '\u0001\u0002').replaceAll('\u0000', '\u0001\u0001') : value

function fromText(row: SqlRow): SqlRow {
  const original = (text: string): string =>
    text.replaceAll('\u0001\u0001', '\u0000').replaceAll('\u0001\u0002', '\u0001')
  const { id, agent } = row
  return {
    ...row,
    ...(typeof id === 'string' && { id: original(id) }),
    ...(typeof agent === 'string' && { agent: original(agent) }),
  }
}

/** Converts a `bigint`, which most drivers return as text. */
const toEpoch = (value: SqlValue | undefined): number | undefined => (value == null ? undefined : Number(value))
