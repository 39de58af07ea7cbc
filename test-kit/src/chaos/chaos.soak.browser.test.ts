import { indexedDbJournal } from '@interleave/core/indexeddb'
import { expect, it } from 'vitest'
import { type ChaosReport, chaos } from './chaos.ts'
import { createShop } from './createShop.ts'
import { lifePlace } from './lifePlace.ts'
import { type Mutant, mutants } from './mutants.ts'

function play(mutant?: Mutant): Promise<ChaosReport> {
  const shop = createShop({ delayMs: () => 1 })
  const journal = indexedDbJournal({ name: `chaos-${crypto.randomUUID()}` })
  const place = lifePlace({ journal, fetch: shop.fetch, ...(mutant && { mutant }) })
  return chaos(place, { shop, runs: 6, kills: 6, ...(mutant && { stuckAfterMs: 1_000, aim: mutant.aim }) })
}

it('loses and doubles nothing where the journal is IndexedDB', async () => {
  const report = await play()

  expect(report.faults).toEqual([])
  expect(report.kills).toBe(6)
})

it.each(mutants)(
  'notices of IndexedDB where it does not hold that $rule',
  // Chance decides whom the kills hit.
  { retry: 2 },
  async (mutant) => {
    const { faults } = await play(mutant)

    expect(faults.filter((fault) => !fault.startsWith('stuck:'))).not.toEqual([])
  },
)
