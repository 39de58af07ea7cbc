import { DatabaseSync } from 'node:sqlite'
import type { SqlRow, SqlStorage } from '@interleave/cloudflare'

/** A file of SQLite in the shape that a Durable Object has it, so that one journal writes to both. */
export function sqliteStorage(file: string): SqlStorage {
  const database = new DatabaseSync(file)
  const exec: SqlStorage['sql']['exec'] = (query, ...bindings) => {
    const rows = database
      .prepare(query)
      .all(...bindings.map((value) => (value instanceof ArrayBuffer ? new Uint8Array(value) : value)))
    return { toArray: () => rows as SqlRow[] }
  }
  return {
    sql: { exec },
    transactionSync(work) {
      database.exec('BEGIN IMMEDIATE')
      try {
        const done = work()
        database.exec('COMMIT')
        return done
      } catch (error) {
        database.exec('ROLLBACK')
        throw error
      }
    },
    // It waits for the disk in each transaction.
    sync: async () => {},
  }
}
