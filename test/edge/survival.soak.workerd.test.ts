// Kills the process, and objects, in the middle of runs that do things in the world: nothing is lost, and nothing is done twice
// but what may be. EDGE_RUNS and EDGE_KILLS take other numbers, EDGE_SEED the same ones again.

import { remoteJournal } from '@interleave/connect/http'
import { type ChaosReport, chaos } from '@interleave/test-kit/chaos/chaos'
import { createRandom } from '@interleave/test-kit/chaos/createRandom'
import type { ShopRequest } from '@interleave/test-kit/chaos/createShop'
import { mutants } from '@interleave/test-kit/chaos/mutants'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { type ServedShop, serveShop } from '../restate/serveShop.ts'
import { bundleWorker } from './bundleWorker.ts'
import { type EdgePlace, edgePlace } from './edgePlace.ts'
import { startWorkerd, type Workerd } from './startWorkerd.ts'

const { EDGE_RUNS = '24', EDGE_KILLS = '60', EDGE_SEED = `${Date.now() % 1_000}` } = process.env
const [runs, kills, seed] = [Number(EDGE_RUNS), Number(EDGE_KILLS), Number(EDGE_SEED)]

let code: string
let shop: ServedShop
let workerd: Workerd
let place: EdgePlace
/** A run whose object dies again and again before it comes any further is gone on with later and later. */
const longestMs = 120_000
/** The number of deaths of objects and of processes. */
let deaths: number

beforeAll(async () => {
  code = await bundleWorker('chaosWorker.ts')
})
afterEach(async () => {
  place?.close()
  await workerd?.end()
  shop?.close()
})

interface Playing {
  readonly runs: number
  readonly kills: number
  readonly rule?: string
  readonly aim?: readonly ShopRequest[] | undefined
  /** Milliseconds that an object has from when it learns of its end. */
  readonly lastMs?: number
}

async function play({ rule = '', lastMs = 0, ...numbers }: Playing): Promise<ChaosReport> {
  const random = createRandom(seed)
  shop = await serveShop({ seed, ms: 20 })
  workerd = await startWorkerd({
    ...{ code, objects: { RUNS: 'RunObject', USERS: 'UserObject' } },
    texts: { SHOP: shop.url, WATCH_MS: '200', RULE: rule },
  })
  place = edgePlace({ url: workerd.url, by: 'ida' })
  const ids = (): string[] => [...place.ids].filter(() => random() < 0.2)
  const endObject = async (id: string): Promise<void> => {
    deaths++
    await fetch(`${workerd.url}/test/abort?name=ida/${id}&last=${lastMs}`).catch(() => {})
  }
  deaths = 0
  const kill = async (): Promise<void> => {
    if (random() >= 0.3) return void (await Promise.all(ids().map(endObject)))
    deaths++
    await workerd.killAndStart()
  }
  const report = await chaos({ ...place, kill }, { ...numbers, shop, seed, stuckAfterMs: rule ? 3_000 : longestMs })
  console.info(
    `Durable Objects ${rule && `without "${rule}"`}, EDGE_SEED=${seed}: ${JSON.stringify({ deaths, ...report })}`,
  )
  return report
}

test('nothing is lost and nothing done twice, whenever objects and processes die', { timeout: 600_000 }, async () => {
  const report = await play({ runs, kills })

  expect(report.faults).toEqual([])
  expect(deaths).toBeGreaterThan(kills / 2)
  for (const [id, seqs] of place.received)
    expect(seqs, `${id}, EDGE_SEED=${seed}`).toEqual(seqs.map((_, index) => index))
  // A list that missed a report while one of the two was dead got it later.
  const listed = async () => {
    const journal = remoteJournal({ url: workerd.url, headers: { authorization: 'ida' } })
    return (await journal.list({ limit: report.runs })).map(({ signal }) => signal)
  }
  await expect.poll(listed).toEqual(Array.from({ length: report.runs }, () => 'answer'))
})

/**
 * All but the first: an object is the only owner of its run, and Durable Objects accept nothing from an object that has
 * ended.
 */
test.each(mutants.slice(1))(
  'is noticed where it does not hold that $rule',
  { retry: 2 },
  async ({ rule, aim, lastMs }) => {
    const { faults } = await play({ runs: 8, kills: 40, rule, aim, ...(lastMs !== undefined && { lastMs }) })

    expect(faults.filter((fault) => !fault.startsWith('stuck:'))).not.toEqual([])
  },
)
