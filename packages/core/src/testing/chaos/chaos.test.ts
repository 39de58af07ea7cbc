import { expect, it } from 'vitest'
import { memoryJournal } from '../../journal/index.ts'
import { brokenPlaces } from './brokenPlaces.ts'
import { type ChaosReport, chaos } from './chaos.ts'
import { createRandom } from './createRandom.ts'
import { createShop } from './createShop.ts'
import { type LifePlaceOptions, lifePlace } from './lifePlace.ts'

/** CHAOS_RUNS and CHAOS_KILLS take other numbers, CHAOS_SEED the same ones again. */
const { CHAOS_RUNS: runs = 16, CHAOS_KILLS: kills = 16, CHAOS_SEED: seed = Date.now() % 1_000 } = process.env

async function play(broken: Partial<LifePlaceOptions> = {}, patienceMs?: number): Promise<ChaosReport> {
  const random = createRandom(Number(seed))
  const shop = createShop({ delayMs: () => random() * 4 })
  const place = lifePlace({ journal: memoryJournal(), fetch: shop.fetch, ...broken })
  return chaos(place, {
    shop,
    runs: Number(runs),
    kills: Number(kills),
    seed: Number(seed),
    ...(patienceMs && { patienceMs }),
  })
}

it('loses and doubles nothing in a process that is killed, or only slow', async () => {
  const report = await play()
  console.log(`seed ${seed}`, report)

  expect(report.faults).toEqual([])
  expect(report.kills).toBeGreaterThan(5)
}, 60_000)

it.each(brokenPlaces)(
  'notices where it does not hold that $rule',
  async ({ breaks }) => {
    const { faults } = await play(breaks, 3_000)

    expect(faults).not.toEqual([])
  },
  60_000,
)
