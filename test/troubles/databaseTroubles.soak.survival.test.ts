import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { postgresJournal } from '@interleave/server/node'
import { createRandom } from '@interleave/test-kit/chaos/createRandom'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Postgres, startPostgres } from '../servers/startPostgres.ts'
import { postgresTroubles, sqliteLocked } from './databaseTroubles.ts'
import { startTcpFront, type TcpFront } from './tcpFront.ts'
import type { Trouble } from './trouble.ts'

let postgres: Postgres
let front: TcpFront
let pool: pg.Pool
beforeAll(async () => {
  postgres = await startPostgres(12)
  front = await startTcpFront(postgres.socket)
  const limits = { query_timeout: 1_500, connectionTimeoutMillis: 1_500, max: 2 }
  pool = new pg.Pool({ host: '127.0.0.1', port: front.port, user: 'test', database: 'postgres', ...limits })
  pool.on('error', () => {})
})
afterAll(async () => {
  await front.close()
  await pool.end()
  await postgres.close()
})

const write = () => pool.query('INSERT INTO interleave_runs (id, events) VALUES (gen_random_uuid(), 0)')
const wellAgain = () => expect.poll(() => write().then(() => 'well', String), { timeout: 60_000 }).toBe('well')
const named = (name: string): Trouble =>
  postgresTroubles(postgres, front).find((each) => each.name.includes(name)) ?? expect.unreachable()

it.each([
  ['forgets', 'Query read timeout'],
  ['dropped', 'Query read timeout'],
  ['out of connections', /too many clients|timeout|terminat/],
  ['read-only', 'read-only transaction'],
])('lets a write fail, and then not any more: %s', async (name, message) => {
  await postgresJournal(pool).list()
  await pool.query('SELECT 1')
  await postgresJournal(pool).claim('r', 0)
  await wellAgain()
  const end = await named(name).begin(createRandom(1))

  await expect.poll(() => write().then(() => 'well', String)).toMatch(message)
  await end()
  await wellAgain()
})

it('lets those wait that need the events, while their table is locked', async () => {
  await postgresJournal(pool).claim('r', 0)
  const end = await named('locked').begin(createRandom(1))

  await expect(pool.query('SELECT * FROM interleave_events')).rejects.toThrow('Query read timeout')
  await end()
  await expect.poll(() => pool.query('SELECT * FROM interleave_events').then(({ rows }) => rows, String)).toEqual([])
})

it('ends all connections, and has the data again after a restart', async () => {
  await postgresJournal(pool).claim('r', 0)
  const waiting = pool.query('SELECT pg_sleep(60)').catch(String)
  await (await named('restarted').begin(createRandom(1)))()

  expect(await waiting).toMatch(/terminat|timeout/)
  await wellAgain()
})

it('loses answers of writes that happen', async () => {
  await wellAgain()
  const count = async () => Number((await pool.query('SELECT count(*) FROM interleave_runs')).rows[0]?.count)
  const before = await count()
  const end = await named('answers').begin(() => 0)
  await expect(write()).rejects.toThrow()
  await end()

  await expect.poll(() => count().catch(() => 0)).toBe(before + 1)
})

it('keeps the write lock of a file of SQLite', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'locked-'))
  const file = path.join(folder, 'runs.db')
  const database = new DatabaseSync(file)
  database.exec('CREATE TABLE a (b)')
  const end = await sqliteLocked(file).begin(createRandom(1))

  expect(() => database.exec('INSERT INTO a VALUES (1)')).toThrow('locked')
  await end()
  database.exec('INSERT INTO a VALUES (1)')
  database.close()
  rmSync(folder, { recursive: true })
})
