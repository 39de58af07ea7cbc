import { expect, it } from 'vitest'
import { indexedDbJournal } from '../../journal/indexedDb/index.ts'
import { chaos } from './chaos.ts'
import { createShop } from './createShop.ts'
import { lifePlace } from './lifePlace.ts'

it('loses and doubles nothing where the journal is IndexedDB', async () => {
  const shop = createShop({ delayMs: () => 1 })
  const journal = indexedDbJournal({ name: `chaos-${crypto.randomUUID()}` })
  const report = await chaos(lifePlace({ journal, fetch: shop.fetch }), { shop, runs: 6, kills: 6 })

  expect(report.faults).toEqual([])
  expect(report.kills).toBeGreaterThan(2)
}, 60_000)
