/** A column's value. */
export type SqlValue = string | number | ArrayBuffer | null
export type SqlRow = Readonly<Record<string, SqlValue>>

/** The SQLite of a Durable Object, as far as it is used here. */
export interface SqlStorage {
  readonly sql: {
    exec(query: string, ...bindings: SqlValue[]): { toArray(): SqlRow[] }
  }
  /** All that is written in it, or nothing. */
  transactionSync<T>(work: () => T): T
  /** Resolves when all that was written is safe. */
  sync(): Promise<void>
}

/** The storage of a Durable Object, as far as it is used here. What is set in one go with rows is kept with them, or not at all. */
export interface DurableStorage extends SqlStorage {
  setAlarm(time: number): Promise<void>
  deleteAlarm(): Promise<void>
}
