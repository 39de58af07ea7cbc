// Several server processes share a PostgreSQL, and are killed in the middle of runs that do things in the world.
// SERVERS_RUNS and SERVERS_KILLS take other numbers, SERVERS_SEED the same ones again.

import { remoteAgent, remoteJournal } from '@interleave/connect/http'
import { type ChaosReport, chaos } from '@interleave/test-kit/chaos/chaos'
import { createRandom } from '@interleave/test-kit/chaos/createRandom'
import type { ShopRequest } from '@interleave/test-kit/chaos/createShop'
import { mutants } from '@interleave/test-kit/chaos/mutants'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type ServedShop, serveShop } from '../restate/serveShop.ts'
import { type Postgres, startPostgres } from './startPostgres.ts'
import { type Servers, startServers } from './startServers.ts'

const { SERVERS_RUNS = '40', SERVERS_KILLS = '40', SERVERS_SEED = `${Date.now() % 1_000}` } = process.env
const [runs, kills, seed] = [Number(SERVERS_RUNS), Number(SERVERS_KILLS), Number(SERVERS_SEED)]

let postgres: Postgres
let shop: ServedShop | undefined
let servers: Servers | undefined

beforeAll(async () => {
  postgres = await startPostgres()
})
afterEach(async () => {
  await servers?.close()
  shop?.close()
})
afterAll(() => postgres.close())

interface Playing {
  readonly runs: number
  readonly kills: number
  readonly rule?: string
  readonly aim?: readonly ShopRequest[] | undefined
  readonly lastMs?: number | undefined
  /** Milliseconds for which every other kill only stops a process. */
  readonly frozenMs?: number
}

let plays = 0

async function play({ rule = '', lastMs, frozenMs = 0, ...numbers }: Playing): Promise<ChaosReport> {
  const random = createRandom(seed)
  const user = `user${++plays}`
  const opened = await serveShop({ seed, ms: 40 })
  const crew = await startServers({ count: 3, env: { DATABASE: postgres.url, SHOP: opened.url, RULE: rule } }, random)
  shop = opened
  servers = crew
  const options = { url: 'http://servers.test', headers: { authorization: user }, fetch: crew.fetch }
  const shopper = remoteAgent({ ...options, name: 'shopper' })
  const journal = remoteJournal(options)
  const pages = new Map<string, ReturnType<typeof shopper.start>>()
  let killed = 0
  const report = await chaos(
    {
      async start(id, message) {
        if (!pages.has(id)) pages.set(id, shopper.start(message, { id }))
      },
      reply: async (id, ask, value) => pages.get(id)?.reply(ask, value as never),
      read: async (id) => journal.read(id),
      kill: () => (killed++ % 2 === 0 || frozenMs === 0 ? crew.kill(lastMs) : crew.freeze(frozenMs)),
    },
    // No request can be called back: what a process was about to send when a run was taken from it is sent all the same.
    { ...numbers, shop: opened, seed, lookMs: frozenMs + 3_000, ...(rule && { stuckAfterMs: 3_000 }) },
  )
  for (const page of pages.values()) page.close()
  console.info(`Processes ${rule && `without "${rule}"`}, SERVERS_SEED=${seed}: ${JSON.stringify(report)}`)
  return report
}

test('nothing is lost and nothing done twice, whenever processes die', { timeout: 900_000 }, async () => {
  const report = await play({ runs, kills })

  expect(report.faults).toEqual([])
  expect(report.kills).toBe(kills)
})

test('nothing is lost and nothing done twice, whenever processes freeze and wake', { timeout: 900_000 }, async () => {
  const report = await play({ runs: runs / 4, kills: kills / 4, frozenMs: 2_000 })

  expect(report.faults).toEqual([])
  expect(report.kills).toBe(Math.ceil(kills / 4))
})

/** The rules that several owners at once put to the test. Other hosts test the others. */
const shared = mutants.filter(({ rule }) => /owner|claimed/.test(rule))

test.each(shared)('is noticed where it does not hold that $rule', { retry: 3 }, async ({ rule, aim, lastMs }) => {
  // Only an owner that stays alive can break the first rule.
  const { faults } = await play({ runs: 8, kills: 12, rule, aim, lastMs, frozenMs: 1_500 })

  expect(faults.filter((fault) => !fault.startsWith('stuck:'))).not.toEqual([])
})
