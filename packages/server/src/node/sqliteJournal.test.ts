import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { agent } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { expect, it, onTestFinished } from 'vitest'
import { postgresJournal } from './postgresJournal.ts'
import { type SqliteDatabase, sqliteJournal } from './sqliteJournal.ts'

const guide = () => agent({ name: 'guide', model: scriptedModel('Hello.', 'Hello again.', 'Hello again.') })

it('says that the database is full, and writes the rest once there is room', async () => {
  const database = new DatabaseSync(':memory:')
  const journal = sqliteJournal(database)
  const run = guide().start('Hi', { journal })
  await run.settled
  const [pages] = database.prepare('PRAGMA page_count').all()
  database.exec(`PRAGMA max_page_count = ${pages?.page_count}`)

  await expect(run.say('x'.repeat(100_000))).rejects.toMatchObject({
    ...{ code: 'journal_full', retryable: true },
    message: expect.stringMatching(/\(database or disk is full\)\. .*delete old ones with prune/),
  })
  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'journal_full' } })

  database.exec('PRAGMA max_page_count = 100000')
  run.resume()
  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Hello again.' })
  expect(await journal.read(run.id)).toEqual(run.log)
})

it('blocks no one while another process has locked the file', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'locked-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'runs.db')
  const [journal, other] = [sqliteJournal(new DatabaseSync(file)), new DatabaseSync(file)]
  await guide().start('Hi', { journal }).settled
  other.exec('BEGIN IMMEDIATE')

  const run = guide().start('Hi', { journal, id: 'r' })
  const before = performance.now()
  let ticks = 0
  while (ticks < 20) await new Promise((resolve) => setTimeout(resolve, 1)).then(() => ticks++)

  expect(performance.now() - before).toBeLessThan(2_000)
  expect(await journal.read('r')).toEqual([])
  other.exec('ROLLBACK')
  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect(await journal.read('r')).toEqual(run.log)
})

it('says of a lock that lasts that the write may be tried again', { timeout: 30_000 }, async () => {
  const locked = Object.assign(new Error('database is locked'), { code: 'ERR_SQLITE_ERROR', errcode: 5 })
  let isLocked = false
  const database: SqliteDatabase = new DatabaseSync(':memory:')
  const journal = sqliteJournal({
    exec(sql) {
      if (isLocked && sql.startsWith('BEGIN')) throw locked
      return database.exec(sql)
    },
    prepare: (sql) => database.prepare(sql),
  })
  isLocked = true

  await expect(journal.claim('r', 0)).rejects.toMatchObject({ message: 'database is locked', isRetryable: true })
})

it('says why PostgreSQL has no room', async () => {
  const full = Object.assign(new Error('index row size 2864 exceeds'), { code: '54000' })
  const journal = postgresJournal({ query: () => Promise.reject(full) })

  await expect(journal.claim('r', 0)).rejects.toMatchObject({
    ...{ code: 'journal_full', retryable: true, cause: full },
    message: expect.stringContaining('(index row size 2864 exceeds)'),
  })
})

/** Refuses `all()` for a statement that returns no rows, as `better-sqlite3` does. */
function strict(database: DatabaseSync): SqliteDatabase {
  return {
    exec: (query) => database.exec(query),
    prepare(query) {
      const statement = database.prepare(query)
      const reader = statement.columns().length > 0
      const all = (...values: SQLInputValue[]): unknown[] => {
        if (!reader) throw new TypeError('This statement does not return data. Use run() instead')
        return statement.all(...values)
      }
      return { reader, all, run: (...values: SQLInputValue[]) => statement.run(...values) }
    },
  }
}

it('keeps runs in a database that reads only from statements with rows', async () => {
  const journal = sqliteJournal(strict(new DatabaseSync(':memory:')))
  const run = guide().start('Hi', { journal })
  await run.settled

  expect(await journal.read(run.id)).toEqual(run.log)
})

it.each([
  [Number.NaN, 4],
  [-1, 4],
  [1.5, 3],
  [Number.POSITIVE_INFINITY, 0],
])('reads from %s as a memory journal does: %s events', async (from, length) => {
  const journal = sqliteJournal(new DatabaseSync(':memory:'))
  const run = guide().start('Hi', { journal })
  await run.settled

  expect(await journal.read(run.id, from)).toEqual(run.log.slice(4 - length))
})

it('lists a run whose summary is damaged, without what is wrong in it', async () => {
  const database = new DatabaseSync(':memory:')
  const journal = sqliteJournal(database)
  await guide().start('Hi', { id: 'r', journal }).settled
  const summary = { runId: 7, title: 5, startedAt: 'x', version: '', signal: {}, parent: 'p', other: 1 }
  database.prepare('UPDATE interleave_runs SET summary = ?').run(JSON.stringify(summary))

  const [listed] = await journal.list()

  expect(listed).toEqual({
    ...{ runId: 'r', agent: 'guide', version: '', events: 4 },
    ...{ title: '', startedAt: 0, updatedAt: expect.any(Number) },
  })
  await journal.delete('r')
  expect(await journal.list()).toEqual([])
})

it('says what it needs where it has no database', () => {
  for (const wrong of [undefined, null, 'runs.db', {}]) {
    expect(() => sqliteJournal(wrong as never)).toThrow('sqliteJournal() needs a database')
    expect(() => postgresJournal(wrong as never)).toThrow('postgresJournal() needs a connection')
  }
})
