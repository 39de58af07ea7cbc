import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { Postgres } from '../servers/startPostgres.ts'
import { blackHole, clear, losesAnswers } from './passages.ts'
import type { TcpFront } from './tcpFront.ts'
import type { Trouble } from './trouble.ts'

/** Milliseconds until a page shows that nothing can be stored, with time limits of a second for each query. */
const seenMs = 5_000
/** Long enough that it can be seen. */
const longestMs = 7_000

/** The troubles of a PostgreSQL behind a front. */
export function postgresTroubles(postgres: Postgres, front: TcpFront): readonly Trouble[] {
  return [
    {
      name: 'PostgreSQL is restarted',
      seenMs,
      async begin(random) {
        await postgres.restart(random() * 3_000)
        return () => {}
      },
    },
    {
      name: 'a firewall forgets the connections of PostgreSQL',
      begin() {
        front.lose('both')
        return () => {}
      },
    },
    {
      name: 'packets to PostgreSQL are dropped',
      longestMs,
      seenMs,
      begin() {
        front.set(blackHole)
        return () => front.set(clear)
      },
    },
    {
      name: 'answers of PostgreSQL are lost',
      begin(random) {
        front.set(losesAnswers({ share: 0.15, random, lateMs: 150 }))
        return () => front.set(clear)
      },
    },
    { name: 'PostgreSQL is out of connections', longestMs, seenMs, begin: () => takeConnections(postgres) },
    { name: 'a table of PostgreSQL is locked', longestMs, seenMs, begin: () => lockTable(postgres) },
    { name: 'PostgreSQL is read-only', longestMs, seenMs, begin: () => forbidWrites(postgres) },
  ]
}

async function connect({ url }: Postgres): Promise<pg.Client> {
  const client = new pg.Client(url)
  // It may be ended by a restart.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Ends the connections of others, and takes all there are. */
async function takeConnections(postgres: Postgres): Promise<() => Promise<void>> {
  const first = await connect(postgres)
  const taken = [first]
  const own = async (): Promise<string> =>
    (await Promise.all(taken.map((client) => client.query('SELECT pg_backend_pid() AS pid'))))
      .map(({ rows }) => Number(rows[0]?.pid))
      .join()
  for (let round = 0; round < 3; round++) {
    await first.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid NOT IN (${await own()})`,
    )
    for (let isFree = true; isFree; ) {
      await connect(postgres).then(
        (client) => taken.push(client),
        () => {
          isFree = false
        },
      )
    }
  }
  return async () => {
    await Promise.all(taken.map((client) => client.end()))
  }
}

async function lockTable(postgres: Postgres): Promise<() => Promise<void>> {
  const client = await connect(postgres)
  await client.query('BEGIN')
  await client.query('LOCK TABLE interleave_events IN ACCESS EXCLUSIVE MODE')
  return async () => {
    await client.query('ROLLBACK')
    await client.end()
  }
}

async function forbidWrites(postgres: Postgres): Promise<() => Promise<void>> {
  const set = async (value: 'on' | 'off'): Promise<void> => {
    const client = await connect(postgres)
    await client.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`)
    await client.query('SELECT pg_reload_conf()')
    await client.end()
  }
  await set('on')
  return () => set('off')
}

/** Another process holds the write lock of a file of SQLite. Its journal asks again for two seconds before it fails. */
export const sqliteLocked = (file: string): Trouble => ({
  name: 'SQLite is locked by another process',
  longestMs: 8_000,
  seenMs: 5_000,
  begin() {
    const database = new DatabaseSync(file)
    database.exec('PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE')
    return () => {
      database.exec('ROLLBACK')
      database.close()
    }
  },
})
