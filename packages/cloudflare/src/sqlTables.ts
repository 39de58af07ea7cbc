import type { SqlRow, SqlStorage, SqlValue } from './durableStorage.ts'

/** The tables of a journal. They are made with the first write: who asks for what is not there leaves nothing behind. */
export interface SqlTables {
  read(query: string, ...bindings: SqlValue[]): readonly SqlRow[]
  /** Does all of it, or nothing. */
  write<T>(work: (exec: Exec) => T): T
}
export type Exec = (query: string, ...bindings: SqlValue[]) => readonly SqlRow[]

/*
 * Events that were written in one go are one record, by the `seq` of the last of them; a record that is longer than a row may
 * be has several rows. Of a run that is claimed and has no events yet, nothing but the epoch is known. There is no index by
 * time: each row that is written is paid for, and a list that reads one row for each run costs less.
 */
const tables = [
  `CREATE TABLE interleave_runs (
    id TEXT PRIMARY KEY, events INTEGER NOT NULL, epoch INTEGER, agent TEXT, updated_at REAL, summary TEXT
  ) WITHOUT ROWID`,
  `CREATE TABLE interleave_events (
    run TEXT NOT NULL, seq INTEGER NOT NULL, part INTEGER NOT NULL, json TEXT NOT NULL, PRIMARY KEY (run, seq, part)
  ) WITHOUT ROWID`,
  'CREATE TABLE interleave_counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID',
]

export function sqlTables(storage: SqlStorage): SqlTables {
  const exec: Exec = (query, ...bindings) => storage.sql.exec(query, ...bindings).toArray()
  const areThere = (): boolean =>
    exec("SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'interleave_runs'").length > 0
  let isReady = areThere()
  return {
    read: (query, ...bindings) => (isReady ? exec(query, ...bindings) : []),
    write(work) {
      const done = storage.transactionSync(() => {
        if (!isReady) for (const table of tables) exec(table)
        return work(exec)
      })
      isReady = true
      return done
    },
  }
}
