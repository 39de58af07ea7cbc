// Server processes whose PostgreSQL loses answers: writes that came through although nobody heard so, at once or late.
// LOSSY_RUNS and LOSSY_SEED take other numbers.

import { remoteAgent } from '@interleave/connect/http'
import { agent, type Event, type Run, tool } from '@interleave/core'
import { createHandler, type Handler } from '@interleave/server'
import { postgresJournal } from '@interleave/server/node'
import { createRandom } from '@interleave/test-kit/chaos/createRandom'
import { inAnotherProcess } from '@interleave/test-kit/inAnotherProcess'
import { scriptedModel } from '@interleave/testing'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { startTcpFront, type TcpFront } from '../troubles/tcpFront.ts'
import { clear, losesAnswers } from '../troubles/tcpTroubles.ts'
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
  const folder = new URL(postgres.url).searchParams.get('host') ?? ''
  proxy = await startTcpFront(`${folder}/.s.PGSQL.5432`)
})
afterAll(async () => {
  await proxy.close()
  await postgres.close()
})

const inputSchema = z.object({})
const once = (name: string) => ({ calls: [{ name, input: {} }] })
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Opens servers that share the database, each with connections of its own. */
function openServers(count: number, paid: Map<string, number>) {
  const pools: pg.Pool[] = []
  const note = (key: string) => paid.set(key, (paid.get(key) ?? 0) + 1)
  const describe = () =>
    agent({
      name: 'payer',
      model: scriptedModel(
        ...Array.from(
          { length: 40 * runs },
          () =>
            ({ prompt }: { prompt: readonly { role: string }[] }) =>
              turn(prompt),
        ),
      ),
      tools: {
        pay: tool({
          inputSchema,
          effect: 'once',
          execute: async (_, { idempotencyKey }) => {
            note(idempotencyKey)
            await pause(5)
            return 'paid'
          },
        }),
        look: tool({ inputSchema, effect: 'pure', execute: () => 'seen' }),
      },
    })
  const turn = async (prompt: readonly { role: string }[]) => {
    await pause(5 * random())
    const results = prompt.filter(({ role }) => role === 'tool').length
    return results < 4 ? once(results % 2 === 0 ? 'look' : 'pay') : 'Done.'
  }
  const handlers: Handler[] = Array.from({ length: count }, () => {
    const pool = new pg.Pool({ host: '127.0.0.1', port: proxy.port, user: 'test', database: 'postgres', max: 20 })
    pool.on('error', () => {})
    pools.push(pool)
    return createHandler({
      agents: [describe()],
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

/** Does what a patient user does, until the run has its answer. */
async function play(run: Run): Promise<void> {
  for (;;) {
    const { type } = await run.settled
    if (type === 'answer') return
    const { rest } = run.state
    try {
      if (rest?.type === 'inputNeeded') for (const { id } of rest.asks) await run.reply(id, 'done' as never)
      else if (rest?.type === 'failed') run.resume()
      else throw new Error(`The run rests with ${JSON.stringify(rest)}`)
    } catch (error) {
      if (rest?.type === 'stopped') throw error
    }
    await pause(20)
  }
}

/** Milliseconds until every run has its answer once the network is well, on a machine that does much else. */
const patienceMs = 60_000

/** Compares a run with its log in the journal. */
function problemsOf({ id, state, log }: Run, kept: readonly Event[]): readonly string[] {
  const problems: string[] = []
  if (state.rest?.type !== 'answer') problems.push(`behind: ${id} ${JSON.stringify(state.rest)}`)
  if (kept.length !== log.length) problems.push(`differs: ${id} has ${log.length} of ${kept.length} events`)
  if (kept.some((event) => event.type === 'rested' && event.signal.type === 'stopped')) problems.push(`stopped: ${id}`)
  return problems
}

it.each([1, 2])(
  'no run ends that no user has ended, and clients have the log: %i servers',
  { timeout: 600_000 },
  async (count) => {
    const paid = new Map<string, number>()
    const servers = openServers(count, paid)
    const client = remoteAgent({ url: 'http://servers.test', name: 'payer', fetch: servers.fetch as typeof fetch })
    const problems: string[] = []
    const direct = new pg.Pool({ connectionString: postgres.url })
    const journal = postgresJournal(direct)
    try {
      for (let at = 0; at < runs; at += 40) {
        const batch = Array.from({ length: Math.min(40, runs - at) }, () => client.start('Go'))
        proxy.set(lossy)
        const plays = Promise.allSettled(batch.map((run) => play(run)))
        await Promise.race([plays, pause(4_000)])
        proxy.set(clear)
        await Promise.race([plays, pause(patienceMs)])
        for (const run of batch) problems.push(...problemsOf(run, await journal.read(`ada/${run.id}`)))
        // A page that is left follows its runs no more.
        for (const run of batch) run.close()
      }
      for (const [key, times] of paid) if (times > 1) problems.push(`paid ${times} times: ${key}`)
      console.info(`Lost answers, LOSSY_SEED=${LOSSY_SEED}: ${lost} in ${runs} runs, on ${count} servers`)
      expect(problems).toEqual([])
    } finally {
      await Promise.all([servers.close(), direct.end()])
    }
  },
)
