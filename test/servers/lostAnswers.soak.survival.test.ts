// Server processes whose PostgreSQL loses answers: writes that came through although nobody heard so, at once or late.
// LOSSY_RUNS and LOSSY_SEED take other numbers.

import { remoteAgent } from '@interleave/connect/http'
import { createHandler, type Handler } from '@interleave/server'
import { postgresJournal } from '@interleave/server/node'
import { createRandom } from '@interleave/test-kit/chaos/createRandom'
import { endedUnasked, paidTwice, payingAgent, type World, waitPatiently } from '@interleave/test-kit/endedUnasked'
import { inAnotherProcess } from '@interleave/test-kit/inAnotherProcess'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { clear, losesAnswers } from '../troubles/passages.ts'
import { startTcpFront, type TcpFront } from '../troubles/tcpFront.ts'
import { type Postgres, startPostgres } from './startPostgres.ts'

const { LOSSY_RUNS = '400', LOSSY_SEED = `${Date.now() % 1_000}` } = process.env
const runs = Number(LOSSY_RUNS)
const random = createRandom(Number(LOSSY_SEED))

let postgres: Postgres
let proxy: TcpFront
let lost = 0
const lossy = losesAnswers({ share: 0.12, random, lateMs: 150, onLoss: () => lost++ })
beforeAll(async () => {
  // The servers say what their database does to them.
  vi.spyOn(console, 'error').mockImplementation(() => {})
  postgres = await startPostgres()
  proxy = await startTcpFront(postgres.socket)
})
afterAll(async () => {
  await proxy.close()
  await postgres.close()
})

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Opens servers that share the database, each with connections of its own. */
function openServers(count: number, world: World) {
  const pools: pg.Pool[] = []
  const handlers: Handler[] = Array.from({ length: count }, () => {
    const pool = new pg.Pool({ host: '127.0.0.1', port: proxy.port, user: 'test', database: 'postgres', max: 20 })
    pool.on('error', () => {})
    pools.push(pool)
    return createHandler({
      agents: [payingAgent(world)],
      journal: inAnotherProcess(postgresJournal(pool)),
      secret: 'a secret for tests only, of 32 bytes and more',
      authorize: () => 'ada',
      limits: {
        ...{ requests: 1_000_000, runs: 1_000, streams: 1_000, heartbeatMs: 200 },
        ...(count > 1 && { takeoverAfterMs: 2_000 }),
      },
    })
  })
  const anyOf = (): Handler => handlers[Math.floor(random() * count)] ?? expect.unreachable()
  return {
    fetch: (url: string, init?: RequestInit) => anyOf()(new Request(url, init)),
    close: () => Promise.all(pools.map((pool) => pool.end())),
  }
}

/** Milliseconds until every run has its answer once the network is well, on a machine that does much else. */
const giveUpMs = 60_000

it.each([1, 2])(
  'no run ends that no user has ended, and clients have the log: %i servers',
  { timeout: 600_000 },
  async (count) => {
    const world: World = { random, paid: new Map() }
    const servers = openServers(count, world)
    const client = remoteAgent({ url: 'http://servers.test', name: 'payer', fetch: servers.fetch as typeof fetch })
    const problems: string[] = []
    const direct = new pg.Pool({ connectionString: postgres.url })
    const journal = postgresJournal(direct)
    try {
      for (let at = 0; at < runs; at += 40) {
        const batch = Array.from({ length: Math.min(40, runs - at) }, () => client.start('Go'))
        proxy.set(lossy)
        const plays = Promise.allSettled(batch.map((run) => waitPatiently(run)))
        await Promise.race([plays, pause(4_000)])
        proxy.set(clear)
        await Promise.race([plays, pause(giveUpMs)])
        for (const run of batch) problems.push(...endedUnasked(run, await journal.read(`ada/${run.id}`)))
        // A page that is left follows its runs no more.
        for (const run of batch) run.close()
      }
      problems.push(...paidTwice(world))
      console.info(`Lost answers, LOSSY_SEED=${LOSSY_SEED}: ${lost} in ${runs} runs, on ${count} servers`)
      expect(problems).toEqual([])
    } finally {
      await Promise.all([servers.close(), direct.end()])
    }
  },
)
