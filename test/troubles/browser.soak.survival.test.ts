// The law for pages of Chromium: runs in the page, in tabs, in a worker, and on a server behind nginx or haproxy.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { closeServers } from '@interleave/test-kit/listen'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chromiumArgs, findChromium } from '../../scripts/find-chromium.mjs'
import { frontsHere, startFront } from '../processes/startFront.ts'
import { serveShop } from '../restate/serveShop.ts'
import { startPostgres } from '../servers/startPostgres.ts'
import { storageFull, tabTroubles } from './browserTroubles.ts'
import { type ChromiumPage, openChromiumPage } from './chromiumPage.ts'
import { postgresTroubles, sqliteLocked } from './databaseTroubles.ts'
import { startHttpFront } from './httpFront.ts'
import { keepLaw, lawMs, roundsOr, seed } from './law.ts'
import { providerAnswers, shopTroubles } from './networkTroubles.ts'
import { openOrigin } from './openOrigin.ts'
import { openWorld } from './openWorld.ts'
import { startTcpFront } from './tcpFront.ts'

let browser: Browser
let closing: (() => unknown)[] = []
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: findChromium() ?? '', args: chromiumArgs })
})
afterAll(() => browser.close())
afterEach(async () => {
  for (const close of closing.reverse()) await close()
  closing = []
  await closeServers()
})

/** Opens so many tabs of one profile. */
async function openPages(url: string, count: number): Promise<readonly [ChromiumPage, ...ChromiumPage[]]> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true })
  closing.push(() => context.close())
  const open = async () => openChromiumPage(await context.newPage(), url)
  const first = await open()
  const others: ChromiumPage[] = []
  while (others.length < count - 1) others.push(await open())
  return [first, ...others]
}

describe.each([
  { transport: 'page', count: 1 },
  { transport: 'tabs', count: 2 },
  { transport: 'worker', count: 1 },
])('in $transport, with IndexedDB', ({ transport, count }) => {
  test('the law is kept', { timeout: lawMs }, async () => {
    const shop = await serveShop({ seed, ms: 40 })
    const origin = await openOrigin(shop)
    const http = await startHttpFront(origin.port)
    const shopTcp = await startTcpFront(origin.port)
    closing.push(shopTcp.close)
    const address = new URLSearchParams({ transport, shop: `http://localhost:${shopTcp.port}/shop` })
    const pages = await openPages(`http://localhost:${http.port}/?${address}`, count)

    const { faults } = await keepLaw({
      name: `${transport}, IndexedDB`,
      ...{ shop, pages, rounds: roundsOr(4), runs: 6, readKept: pages[0].readKept },
      troubles: [
        storageFull(pages[0].page),
        ...pages.flatMap(({ page }) => tabTroubles(page)),
        providerAnswers(http),
        ...shopTroubles(shopTcp),
      ],
    })

    expect(faults).toEqual([])
  })
})

const databases = {
  async PostgreSQL() {
    const postgres = await startPostgres(25)
    const front = await startTcpFront(postgres.socket)
    closing.push(postgres.close, front.close)
    return {
      database: `postgres://test@127.0.0.1:${front.port}/postgres`,
      troubles: postgresTroubles(postgres, front),
    }
  },
  async SQLite() {
    const folder = mkdtempSync(path.join(tmpdir(), 'troubles-'))
    closing.push(() => rmSync(folder, { recursive: true }))
    const database = path.join(folder, 'runs.db')
    return { database, troubles: [sqliteLocked(database)] }
  },
}

const served = (
  [
    { kind: 'nginx', journal: 'PostgreSQL' },
    { kind: 'haproxy', journal: 'SQLite' },
  ] as const
).filter(({ kind }) => frontsHere.includes(kind))

describe.each(served)('over HTTP/2 through $kind, with $journal', ({ kind, journal }) => {
  test('the law is kept', { timeout: lawMs }, async () => {
    const { database, troubles } = await databases[journal]()
    const world = await openWorld({
      ...{ seed, database, isDurable: true },
      before: async (port, shop) => (await openOrigin(shop, port)).port,
      async outside(port) {
        const front = await startFront(kind, port)
        closing.push(front.close)
        return front.port
      },
    })
    closing.push(world.close)
    const pages = await openPages(`https://localhost:${world.tcp.port}/?transport=server`, 1)

    const { faults } = await keepLaw({
      name: `HTTP/2 through ${kind}, ${journal}`,
      ...{ shop: world.shop, pages, rounds: roundsOr(4), runs: 8, readKept: world.readKept },
      troubles: [...world.troubles, ...troubles, ...tabTroubles(pages[0].page)],
    })

    expect(faults).toEqual([])
  })
})
