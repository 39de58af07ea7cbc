// The law of networks for runs in Durable Objects, and their own journal.

import { remoteAgent, remoteJournal } from '@interleave/connect/http'
import { closeServers } from '@interleave/test-kit/listen'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { serveShop } from '../restate/serveShop.ts'
import { startHttpFront } from '../troubles/httpFront.ts'
import { keepLaw, lawMs, roundsOr, seed } from '../troubles/law.ts'
import { pageTroubles } from '../troubles/networkTroubles.ts'
import { timeouts, user } from '../troubles/openWorld.ts'
import { openShopPage } from '../troubles/shopPage.ts'
import { startTcpFront } from '../troubles/tcpFront.ts'
import type { Trouble } from '../troubles/trouble.ts'
import { bundleWorker } from './bundleWorker.ts'
import { startWorkerd } from './startWorkerd.ts'

let closing: (() => unknown)[] = []
beforeEach(() => {
  // Pages say what they cannot reach.
  for (const name of ['error', 'warn'] as const) vi.spyOn(console, name).mockImplementation(() => {})
})
afterEach(async () => {
  vi.restoreAllMocks()
  for (const close of closing.reverse()) await close()
  closing = []
  await closeServers()
})

test('over HTTP/1.1, the law is kept with Durable Objects', { timeout: lawMs }, async () => {
  const shop = await serveShop({ seed, ms: 40 })
  const workerd = await startWorkerd({
    ...{ code: await bundleWorker('chaosWorker.ts'), objects: { RUNS: 'RunObject', USERS: 'UserObject' } },
    texts: { SHOP: shop.url, WATCH_MS: '200', RULE: '' },
  })
  const http = await startHttpFront(Number(new URL(workerd.url).port))
  const tcp = await startTcpFront(http.port)
  closing.push(workerd.end, tcp.close)
  const url = `http://127.0.0.1:${tcp.port}`
  const journal = remoteJournal({ url: workerd.url, headers: user })
  const killed: Trouble = {
    name: 'workerd is killed',
    async begin() {
      await workerd.killAndStart()
      return () => {}
    },
  }

  const { faults } = await keepLaw({
    name: 'HTTP/1.1, Durable Objects',
    ...{ shop, rounds: roundsOr(6), runs: 12, readKept: async (id) => journal.read(id) },
    troubles: [...pageTroubles(tcp, http), killed],
    pages: [openShopPage(() => remoteAgent({ url, name: 'shopper', headers: user, timeouts }))],
  })

  expect(faults).toEqual([])
})
