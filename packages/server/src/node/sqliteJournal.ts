import { assertOption, decorateJournal, messageOf, passing } from '@interleave/core/internal'
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
 * so that writes survive a power cut. While another process has locked the file, it is asked again for two seconds,
 * without blocking this process. If the disk is full, the run fails with `journal_full`.
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
  // Only here SQLite itself waits for a lock: it would block the process, which serves nobody yet.
  database.exec(
    'PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 0',
  )
  const storage = sqliteStorage(database)
  return decorateJournal(journalIn(storage, sqlTables(storage, [timeIndex]), identityOf(database)), (inner) => ({
    append: (...write) => whileLocked(() => inner.append(...write)),
    read: (...from) => whileLocked(() => inner.read(...from)),
    list: (...options) => whileLocked(() => inner.list(...options)),
    delete: (id) => whileLocked(() => inner.delete(id)),
    claim: (...claim) => whileLocked(() => inner.claim(...claim)),
  }))
}

/**
 * Milliseconds for which a locked file is asked again, and before each time at most. After that the run's writer asks
 * again, and pages show it.
 */
const [lockedMs, longestWaitMs] = [2_000, 100] as const

/** Runs work. If another process has locked the file, runs it again later, and this process continues meanwhile. */
function whileLocked<T>(work: () => T | PromiseLike<T>): T | PromiseLike<T> {
  try {
    return work()
  } catch (error) {
    if (!isLocked(error)) throw error
    return again(work)
  }
}

async function again<T>(work: () => T | PromiseLike<T>): Promise<T> {
  for (let [wait, waited] = [1, 0]; ; wait = Math.min(2 * wait, longestWaitMs)) {
    await new Promise((resolve) => setTimeout(resolve, wait))
    waited += wait
    try {
      return await work()
    } catch (error) {
      if (!isLocked(error)) throw error
      if (waited >= lockedMs) throw passing(error)
    }
  }
}

/** Returns true for SQLITE_BUSY (5) and SQLITE_LOCKED (6), which each library reports in its own way. */
function isLocked(error: unknown): boolean {
  const { code, errcode } = Object(error) as { readonly code?: unknown; readonly errcode?: unknown }
  if (typeof errcode === 'number') return (errcode & 255) === 5 || (errcode & 255) === 6
  return /^SQLITE_(?:BUSY|LOCKED)/.test(String(code)) || /database (?:table )?is locked/.test(messageOf(error))
}

/** Returns the identity of a database in a file. One in memory is only its object. */
function identityOf(database: SqliteDatabase): string | null {
  const [{ file } = {}] = database.prepare('PRAGMA database_list').all() as readonly { readonly file?: unknown }[]
  return typeof file === 'string' && file !== '' ? `sqlite ${file}` : null
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
