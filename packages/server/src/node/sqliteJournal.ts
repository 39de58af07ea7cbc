import { assertOption } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import { journalIn } from '../sql/sqlJournal.ts'
import { type SqlRow, type SqlStorage, type SqlValue, sqlTables, timeIndex } from '../sql/sqlTables.ts'

/** A database of SQLite: a `DatabaseSync` of `node:sqlite`, or a `Database` of `bun:sqlite` or `better-sqlite3`. */
export interface SqliteDatabase {
  exec(sql: string): unknown
  prepare(sql: string): SqliteStatement
}

export interface SqliteStatement {
  // biome-ignore lint/suspicious/noExplicitAny: each of the libraries has a type of its own for what it binds.
  all(...values: any[]): unknown[]
  // biome-ignore lint/suspicious/noExplicitAny: as above
  run(...values: any[]): unknown
  /** In `better-sqlite3`: false if it returns no rows, and then has no `all`. */
  readonly reader?: boolean
}

/**
 * Creates a journal in a SQLite database. Several processes of one machine may share its file. Its tables begin with
 * `interleave_`; the first write creates them. It switches the database to write-ahead logging with full synchronisation,
 * so that writes survive a power cut, and lets a write wait five seconds for another process. If the disk is full, the
 * run fails with `journal_full`.
 *
 * @example
 * import { DatabaseSync } from 'node:sqlite'
 * const journal = sqliteJournal(new DatabaseSync('runs.db'))
 */
export function sqliteJournal(database: SqliteDatabase): Required<Journal> {
  const { exec, prepare } = Object(database)
  assertOption(
    typeof exec === 'function' && typeof prepare === 'function',
    'sqliteJournal() needs a database, such as new DatabaseSync("runs.db") of node:sqlite.',
  )
  database.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  const storage = sqliteStorage(database)
  return journalIn(storage, sqlTables(storage, [timeIndex]))
}

function sqliteStorage(database: SqliteDatabase): SqlStorage {
  const statements = new Map<string, SqliteStatement>()
  const prepared = (query: string): SqliteStatement => {
    const statement = statements.get(query) ?? database.prepare(query)
    statements.set(query, statement)
    return statement
  }
  const exec = (query: string, values: readonly SqlValue[]): SqlRow[] => {
    const statement = prepared(query)
    if (statement.reader !== false) return statement.all(...values) as SqlRow[]
    statement.run(...values)
    return []
  }
  return {
    sql: {
      exec(query, ...values) {
        const rows = exec(query, values)
        return { toArray: () => rows }
      },
    },
    transactionSync(work) {
      database.exec('BEGIN IMMEDIATE')
      try {
        const done = work()
        database.exec('COMMIT')
        return done
      } catch (error) {
        rollBack(database)
        throw error
      }
    },
    // Each transaction waits for the disk.
    sync: async () => {},
  }
}

/** Rolls a transaction back. On a full disk, SQLite has ended it already, and then throws. */
function rollBack(database: SqliteDatabase): void {
  try {
    database.exec('ROLLBACK')
  } catch {
    // The first error says more.
  }
}
