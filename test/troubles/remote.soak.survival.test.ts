// The law for `remoteAgent` and its server, with each journal of a server.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { remoteAgent } from '@interleave/connect/http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Postgres, startPostgres } from '../servers/startPostgres.ts'
import { postgresTroubles, sqliteLocked } from './databaseTroubles.ts'
import { keepLaw, lawMs, roundsOr, seed } from './law.ts'
import { openWorld, timeouts, user, type World } from './openWorld.ts'
import { openShopPage } from './shopPage.ts'
import { startTcpFront } from './tcpFront.ts'
import { type Troubles, troublesNamed } from './trouble.ts'

interface Kept {
  readonly database: string
  readonly troubles: Troubles
  close(): unknown
}

const journals: Readonly<Record<string, () => Promise<Kept>>> = {
  memory: async () => ({ database: 'memory', troubles: [], close() {} }),
  async SQLite() {
    const folder = mkdtempSync(path.join(tmpdir(), 'troubles-'))
    const database = path.join(folder, 'runs.db')
    return { database, troubles: [sqliteLocked(database)], close: () => rmSync(folder, { recursive: true }) }
  },
  async PostgreSQL() {
    const postgres: Postgres = await startPostgres(25)
    const front = await startTcpFront(postgres.socket)
    return {
      database: `postgres://test@127.0.0.1:${front.port}/postgres`,
      troubles: postgresTroubles(postgres, front),
      async close() {
        await front.close()
        await postgres.close()
      },
    }
  },
}

beforeEach(() => {
  // Pages say what they cannot reach.
  for (const name of ['error', 'warn'] as const) vi.spyOn(console, name).mockImplementation(() => {})
})

let closing: (() => unknown)[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  for (const close of closing.reverse()) await close()
  closing = []
})

async function openAll(journal: string): Promise<{ readonly world: World; readonly troubles: Troubles }> {
  const kept = await journals[journal]?.()
  if (!kept) throw new Error(`There is no journal ${journal}.`)
  closing.push(() => kept.close())
  const world = await openWorld({ seed, database: kept.database, isDurable: journal !== 'memory' })
  closing.push(() => world.close())
  return { world, troubles: [...world.troubles, ...kept.troubles] }
}

test.each(Object.keys(journals))('over HTTP/1.1, the law is kept with %s', { timeout: lawMs }, async (journal) => {
  const { world, troubles } = await openAll(journal)
  const url = `http://127.0.0.1:${world.tcp.port}`
  const openAgent = () => remoteAgent({ url, name: 'shopper', headers: user, timeouts })

  const { faults } = await keepLaw({
    name: `HTTP/1.1, ${journal}`,
    ...{ shop: world.shop, troubles, pages: [openShopPage(openAgent)] },
    ...{ rounds: roundsOr(4), runs: 16, readKept: world.readKept },
  })

  expect(faults).toEqual([])
})

/** The troubles of a world of which the name fits, as a user sees them who never loads a page anew. */
async function withoutReloads(journal: string, isIt: RegExp) {
  const { world, troubles } = await openAll(journal)
  const url = `http://127.0.0.1:${world.tcp.port}`
  const openAgent = () => remoteAgent({ url, name: 'shopper', headers: user, timeouts })
  return keepLaw({
    name: `HTTP/1.1, ${journal}, without reloads`,
    ...{ shop: world.shop, troubles: troublesNamed(troubles, (name) => isIt.test(name)) },
    ...{ pages: [openShopPage(openAgent)], rounds: roundsOr(3), runs: 8, readKept: world.readKept },
    reloadAfterMs: Number.POSITIVE_INFINITY,
  })
}

test('no page is loaded again after a front has answered', { timeout: lawMs }, async () => {
  const { faults } = await withoutReloads('memory', /a front answers: (the session|a portal|40|413)/)

  expect(faults).toEqual([])
})

test('no run fails while PostgreSQL is away for seconds', { timeout: lawMs }, async () => {
  const { faults, retries } = await withoutReloads('PostgreSQL', /restarted|read-only/)

  expect([faults, retries]).toEqual([[], 0])
})

test('a locked SQLite holds up no one who does not write', async () => {
  const { world, troubles } = await openAll('SQLite')
  const agent = remoteAgent({ url: `http://127.0.0.1:${world.tcp.port}`, name: 'shopper', headers: user, timeouts })
  const run = agent.start(`Buy it all, by seed ${seed}.`, { id: 'locked-0000-0123456789' })
  const list = () => fetch(`http://127.0.0.1:${world.tcp.port}/v1/runs`, { headers: { authorization: 'bob' } })
  await expect.poll(() => run.log.length).toBeGreaterThan(3)
  const [locked] = troublesNamed(troubles, (name) => name.includes('SQLite')).flat()
  const end = await locked?.begin(() => 0)
  // The run may wait for a reply by now, and write nothing.
  const said = run.say('Is it under way?').catch(() => {})
  const waits: number[] = []
  const begun = performance.now()
  while (run.state.saving === undefined) {
    const at = performance.now()
    await (await list()).text()
    waits.push(performance.now() - at)
    expect(performance.now() - begun).toBeLessThan(20_000)
  }
  await end?.()

  expect(Math.max(...waits)).toBeLessThan(1_500)
  await expect.poll(() => run.state.saving).toBeUndefined()
  await said
  run.close()
})
