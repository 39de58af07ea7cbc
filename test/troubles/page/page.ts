import { remoteAgent } from '@interleave/connect/http'
import { acrossTabs } from '@interleave/connect/tabs'
import { workerAgent } from '@interleave/connect/worker'
import type { AgentHandle, Event } from '@interleave/core'
import { indexedDbJournal } from '@interleave/core/indexeddb'
import { installClock } from '../jumpingClock.ts'
import { openShopPage, type ShopPage } from '../shopPage.ts'
import { shopper } from './shopper.ts'

declare global {
  /** The page, for the test. */
  var shopPage: ShopPage
  /** Returns the log that the journal of this browser has. */
  var readKept: (id: string) => Promise<readonly Event[]>
}

installClock()
const journal = indexedDbJournal()
const transports: Readonly<Record<string, () => AgentHandle>> = {
  page: () => ({
    ...shopper,
    start: (input, options) => shopper.start(input, { ...options, journal }),
    resume: (id) => shopper.resume(id, { journal }),
  }),
  tabs: () => acrossTabs(shopper, { journal, takeoverAfterMs: 4_000 }),
  worker: () => workerAgent(() => new Worker(`/worker.js${location.search}`, { type: 'module' }), 'shopper'),
  server: () =>
    remoteAgent({
      url: '/api',
      name: 'shopper',
      headers: { authorization: 'ida' },
      timeouts: { slowAfterMs: 1_000, requestMs: 3_000 },
    }),
}
const openAgent = transports[new URLSearchParams(location.search).get('transport') ?? '']
if (!openAgent) throw new Error('The address names no transport.')
globalThis.readKept = async (id) => journal.read(id)
globalThis.shopPage = openShopPage(openAgent)
