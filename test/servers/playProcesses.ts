// Several server processes share a PostgreSQL, and are killed in the middle of runs that do things in the world.

import { remoteAgent, remoteJournal } from '@interleave/connect/http'
import { type ChaosReport, chaos } from '@interleave/test-kit/chaos/chaos'
import { createRandom } from '@interleave/test-kit/chaos/createRandom'
import type { ShopRequest } from '@interleave/test-kit/chaos/createShop'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { type ServedShop, serveShop } from '../restate/serveShop.ts'
import { type Postgres, startPostgres } from './startPostgres.ts'
import { type Servers, startServers } from './startServers.ts'

/** SERVERS_SEED takes the numbers of a failure again. */
const seed = Number(process.env.SERVERS_SEED ?? Date.now() % 1_000)

let postgres: Postgres
let shop: ServedShop | undefined
let servers: Servers | undefined

/** Has a database for the tests of a file, and closes what `play` opens. */
export function usePostgres(): void {
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterEach(async () => {
    await servers?.close()
    shop?.close()
  })
  afterAll(() => postgres.close())
}

export interface Playing {
  readonly runs: number
  readonly kills: number
  readonly rule?: string
  readonly aim?: readonly ShopRequest[] | undefined
  readonly lastMs?: number | undefined
  /** Milliseconds for which every other kill only stops a process. */
  readonly frozenMs?: number
}

let plays = 0

/** Lets users shop while processes die or freeze, and returns what came of it. */
export async function play({ rule = '', lastMs, frozenMs = 0, ...numbers }: Playing): Promise<ChaosReport> {
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
