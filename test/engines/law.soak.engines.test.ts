// The law of networks, clocks and processes in Firefox, where Chromium has it in test/troubles.

import { closeServers } from '@interleave/test-kit/listen'
import { afterEach, expect, test } from 'vitest'
import { openEnginePage } from '../troubles/enginePage.ts'
import { keepLaw, lawMs, roundsOr, seed } from '../troubles/law.ts'
import { openOrigin } from '../troubles/openOrigin.ts'
import { openWorld } from '../troubles/openWorld.ts'
import { inEachEngine } from './stories/tell.ts'

let closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.reverse()) await close()
  closing = []
  await closeServers()
})

inEachEngine(
  (engine, name) => {
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
