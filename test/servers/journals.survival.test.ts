import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { postgresJournal, postgresTables, sqliteJournal } from '@interleave/server/node'
import { journalSuite } from '@interleave/testing'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Postgres, startPostgres } from './startPostgres.ts'

const started = (runId: string) =>
  ({ type: 'started', seq: 0, at: 1, iteration: 0, runId, agent: 'guide', version: '1' }) as const

describe('a journal in PostgreSQL', () => {
  let server: Postgres
  const pools: pg.Pool[] = []
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(async () => {
    for (const pool of pools) await pool.end()
    await server.close()
  })

  /** Creates a pool with tables of its own. */
  const openPool = async (): Promise<pg.Pool> => {
    const schema = `s${pools.length}`
    const pool = new pg.Pool({ connectionString: server.url, options: `-c search_path=${schema}` })
    pools.push(pool)
    await pool.query(`CREATE SCHEMA ${schema}`)
    return pool
  }

  for (const { name, run } of journalSuite(async () => postgresJournal(await openPool()))) it(name, run)

  it('is created by many at once', async () => {
    const pool = await openPool()
    for (let round = 0; round < 20; round++) {
      const journals = Array.from({ length: 10 }, () => postgresJournal(pool))
      await Promise.all(journals.map((journal, index) => journal.append(`run${index}`, [started(`run${index}`)])))

      expect(await journals[0]?.list()).toHaveLength(10)
      await pool.query('DROP TABLE interleave_events, interleave_runs; DROP SEQUENCE interleave_epochs')
    }
  })

  it('leaves nothing of a run that is deleted while it is written', async () => {
    const pool = await openPool()
    const journal = postgresJournal(pool)
    for (let round = 0; round < 50; round++) {
      await journal.append('a', [started('a')])
      const note = { type: 'noted', seq: 1, at: 2, iteration: 0, key: 'k', value: round } as const
      await Promise.allSettled([journal.append('a', [note]), journal.delete('a')])
      await journal.delete('a')
      const { rows } = await pool.query('SELECT * FROM interleave_events')
      expect(rows).toEqual([])
    }
  })

  it('tells how long nothing was written to a run, by the clock of the database', async () => {
    const journal = postgresJournal(await openPool())
    expect(await journal.idleMs('a')).toBeUndefined()
    await journal.append('a', [started('a')])
    const first = await journal.idleMs('a')
    await new Promise((resolve) => setTimeout(resolve, 300))

    expect(first).toBeGreaterThanOrEqual(0)
    expect(await journal.idleMs('a')).toBeGreaterThanOrEqual(300)
    await journal.claim('a', 1)
    expect(await journal.idleMs('a')).toBeLessThan(300)
  })

  it('adds what tables of an earlier version lack', async () => {
    const pool = await openPool()
    const [runs, , ...others] = postgresTables
    for (const statement of [runs ?? '', ...others]) await pool.query(statement)
    const journal = postgresJournal(pool)

    expect(await journal.idleMs('a')).toBeUndefined()
    await journal.append('a', [started('a')])

    expect(await journal.read('a')).toEqual([started('a')])
    expect(await journal.idleMs('a')).toBeGreaterThanOrEqual(0)
  })

  it('says that the database cannot be reached', async () => {
    const journal = postgresJournal(new pg.Pool({ host: '/nowhere' }))

    await expect(journal.read('a')).rejects.toThrow('/nowhere')
  })
})

describe('a journal in a file of SQLite', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'runs-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  for (const { name, run } of journalSuite(() => sqliteJournal(new DatabaseSync(':memory:')))) it(name, run)

  it('has in a file what another one wrote to it, in either order', async () => {
    const file = path.join(folder, 'runs.sqlite')
    const [one, two] = [sqliteJournal(new DatabaseSync(file)), sqliteJournal(new DatabaseSync(file))]
    await one.append('a', [started('a')])
    await two.append('b', [started('b')])

    expect(await two.read('a')).toEqual([started('a')])
    expect((await one.list()).map(({ runId }) => runId).sort()).toEqual(['a', 'b'])
  })
})
