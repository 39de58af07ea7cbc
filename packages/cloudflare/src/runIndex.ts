import type { ListOptions, RunSummary } from '@interleave/core/journal'
import {
  listSummaries,
  putSummary,
  type RequestRoom,
  type SqlStorage,
  type SqlTables,
  sqlTables,
  takeRequest,
} from '@interleave/server/internal'

/** Milliseconds between two writes, since each costs money. */
const writeMs = 1_000

/** The request budget of a user. Heavy use is persisted, so that eviction does not reset it. */
export class RequestBudget {
  readonly #sql: SqlStorage['sql']
  readonly #requests: number
  #room: RequestRoom
  #savedAt = 0

  /** Creates the budget. `requests` is the number per minute. */
  constructor({ sql }: SqlStorage, requests: number, now: number) {
    this.#sql = sql
    this.#requests = requests
    this.#room = read(sql) ?? { room: requests, at: now }
  }

  /** Takes one request. Throws `too_many`. */
  takeRequest(now: number): void {
    this.#room = takeRequest(this.#room, this.#requests, now)
    // Above 75 %, losing the count hardly matters: most of the rest refills in the ten seconds before an eviction.
    if (this.#room.room > this.#requests * 0.75 || now - this.#savedAt < writeMs) return
    this.#savedAt = now
    write(this.#sql, this.#room)
  }
}

function read(sql: SqlStorage['sql']): RequestRoom | undefined {
  const known = sql.exec("SELECT name FROM sqlite_master WHERE name = 'interleave_room'").toArray()
  const [row] = known.length > 0 ? sql.exec('SELECT room, at FROM interleave_room').toArray() : []
  return row && { room: Number(row.room), at: Number(row.at) }
}

function write(sql: SqlStorage['sql'], { room, at }: RequestRoom): void {
  sql.exec('CREATE TABLE IF NOT EXISTS interleave_room (id INTEGER PRIMARY KEY, room REAL NOT NULL, at REAL NOT NULL)')
  sql.exec('INSERT OR REPLACE INTO interleave_room (id, room, at) VALUES (1, ?, ?)', room, at)
}

/** The runs of one user, as their objects last reported them. */
export class RunIndex {
  readonly #tables: SqlTables
  readonly #atWork: Set<string>

  constructor(storage: SqlStorage) {
    this.#tables = sqlTables(storage)
    const running = this.#tables.read("SELECT id FROM interleave_runs WHERE json_extract(summary, '$.signal') IS NULL")
    this.#atWork = new Set(running.map(({ id }) => String(id)))
  }

  /** The ids of the runs that are running or about to start. */
  get atWork(): ReadonlySet<string> {
    return this.#atWork
  }

  has(runId: string): boolean {
    return this.#tables.read('SELECT id FROM interleave_runs WHERE id = ?', runId).length > 0
  }

  put(summary: RunSummary): void {
    this.#tables.write((exec) => putSummary(exec, summary))
    if (summary.signal) this.#atWork.delete(summary.runId)
    else this.#atWork.add(summary.runId)
  }

  /** Adds a run that is about to start: it counts against the limit, but is not listed yet. */
  expect(summary: RunSummary): void {
    if (!this.has(summary.runId)) this.put({ ...summary, events: 0 })
  }

  remove(runId: string): void {
    this.#tables.write((exec) => exec('DELETE FROM interleave_runs WHERE id = ?', runId))
    this.#atWork.delete(runId)
  }

  list(options: ListOptions = {}): readonly RunSummary[] {
    return listSummaries(this.#tables, options)
  }
}
