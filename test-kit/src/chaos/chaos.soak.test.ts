import { memoryJournal } from '@interleave/core/journal'
import { expect, it } from 'vitest'
import { type ChaosReport, chaos } from './chaos.ts'
import { createRandom } from './createRandom.ts'
import { createShop } from './createShop.ts'
import { lifePlace } from './lifePlace.ts'
import { type Mutant, mutants } from './mutants.ts'

/** CHAOS_RUNS and CHAOS_KILLS take other numbers, CHAOS_SEED the same ones again. */
const { CHAOS_RUNS: runs = 16, CHAOS_KILLS: kills = 16, CHAOS_SEED: seed = Date.now() % 1_000 } = process.env

async function play(mutant?: Mutant): Promise<ChaosReport> {
  const random = createRandom(Number(seed))
  const shop = createShop({ delayMs: () => random() * 4 })
  const place = lifePlace({ journal: memoryJournal(), fetch: shop.fetch, ...(mutant && { mutant }) })
  const numbers = mutant
    ? { runs: 8, kills: 8, stuckAfterMs: 1_000, aim: mutant.aim }
    : { runs: Number(runs), kills: Number(kills) }
  return chaos(place, { shop, seed: Number(seed), ...numbers })
}

it('loses and doubles nothing in a process that is killed, or only slow', async () => {
  const report = await play()
  console.log(`seed ${seed}`, report)

  expect(report.faults).toEqual([])
  expect(report.kills).toBe(Number(kills))
})

it.each(mutants)(
  'notices where it does not hold that $rule',
  // Chance decides whom the kills hit.
  { retry: 2 },
  async (mutant) => {
    const { faults } = await play(mutant)

    // A run that only stands still would be noticed anyway.
    expect(faults.filter((fault) => !fault.startsWith('stuck:'))).not.toEqual([])
  },
)
