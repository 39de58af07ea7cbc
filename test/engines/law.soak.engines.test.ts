// The law of networks, clocks and processes in Firefox, where Chromium has it in test/troubles.

import { closeServers } from '@interleave/test-kit/listen'
import { afterEach, expect, test } from 'vitest'
import { serveShop } from '../restate/serveShop.ts'
import { openEnginePage } from '../troubles/enginePage.ts'
import { startHttpFront } from '../troubles/httpFront.ts'
import { keepLaw, lawMs, roundsOr, seed } from '../troubles/law.ts'
import { providerAnswers, shopTroubles } from '../troubles/networkTroubles.ts'
import { openOrigin } from '../troubles/openOrigin.ts'
import { openWorld } from '../troubles/openWorld.ts'
import { startTcpFront } from '../troubles/tcpFront.ts'
import { inEachEngine } from './stories/tell.ts'

let closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.reverse()) await close()
  closing = []
  await closeServers()
})

inEachEngine(
  (engine, name) => {
    test('two tabs keep the law, with IndexedDB', { timeout: lawMs }, async () => {
      const shop = await serveShop({ seed, ms: 40 })
      const origin = await openOrigin(shop)
      const http = await startHttpFront(origin.port)
      const shopTcp = await startTcpFront(origin.port)
      closing.push(shopTcp.close)
      const address = new URLSearchParams({ transport: 'tabs', shop: `http://localhost:${shopTcp.port}/shop` })
      const url = `http://localhost:${http.port}/?${address}`
      // The one that is opened last is in front: Firefox slows the timers of the other one down.
      const [second, first] = [await openEnginePage(engine(), url), await openEnginePage(engine(), url)]

      const { faults } = await keepLaw({
        name: `tabs of ${name}, IndexedDB`,
        ...{ shop, pages: [first, second], rounds: roundsOr(4), runs: 6, readKept: first.readKept },
        troubles: [...first.troubles, providerAnswers(http), ...shopTroubles(shopTcp)],
      })

      expect(faults).toEqual([])
    })

    test('a page of a server keeps the law', { timeout: lawMs }, async () => {
      const world = await openWorld({
        ...{ seed, database: 'memory', isDurable: false },
        before: async (port, shop) => (await openOrigin(shop, port)).port,
      })
      closing.push(world.close)
      const page = await openEnginePage(engine(), `http://localhost:${world.tcp.port}/?transport=server`)

      const { faults } = await keepLaw({
        name: `HTTP/1.1 of ${name}, memory`,
        ...{ shop: world.shop, pages: [page], rounds: roundsOr(4), runs: 8, readKept: world.readKept },
        troubles: [...world.troubles, ...page.troubles],
      })

      expect(faults).toEqual([])
    })
  },
  { only: ['firefox'] },
)
