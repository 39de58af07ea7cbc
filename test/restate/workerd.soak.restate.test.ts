import path from 'node:path'
import { chaos } from '@interleave/test-kit/chaos/chaos'
import { createRandom } from '@interleave/test-kit/chaos/createRandom'
import { createShop, type Shop } from '@interleave/test-kit/chaos/createShop'
import { listen } from '@interleave/test-kit/listen'
import { afterEach, expect, it } from 'vitest'
import { startWorkerd, type Workerd } from '../edge/startWorkerd.ts'
import { fetchServer } from './fetchServer.ts'
import { needsRestate } from './needsRestate.ts'
import { restatePlace } from './restatePlace.ts'
import { type RestateServer, restateBinary, startRestate } from './startRestate.ts'
import { bundleWorker } from './workerd/bundleWorker.ts'

/** RESTATE_WORKERD_RUNS=40 RESTATE_WORKERD_KILLS=20 is the whole trial; RESTATE_SEED takes another one. */
const { RESTATE_WORKERD_RUNS = '8', RESTATE_WORKERD_KILLS = '4', RESTATE_SEED = '1' } = process.env
const [runs, kills, seed] = [Number(RESTATE_WORKERD_RUNS), Number(RESTATE_WORKERD_KILLS), Number(RESTATE_SEED)]

const fileOf = (...names: readonly string[]): string => path.join(import.meta.dirname, ...names)

needsRestate()

const closing: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A shop, Restate, and a workerd that serves the shop's agent to it. */
async function begin(shop: Shop): Promise<{ readonly server: RestateServer; readonly workerd: Workerd }> {
  const { url, close } = await listen(fetchServer(shop.fetch))
  closing.push(close)
  const [server, { code, wasm }] = await Promise.all([startRestate(), bundleWorker(fileOf('workerd', 'worker.ts'))])
  closing.push(server.close)
  const workerd = await startWorkerd({
    // The SDK needs them, and nothing else does.
    ...{ code, wasm, flags: ['nodejs_compat'] },
    texts: { INGRESS: server.ingress, SHOP: url, TURNS: '3' },
  })
  closing.push(workerd.end)
  await server.register(workerd.url, 'fetch')
  return { server, workerd }
}

it.runIf(restateBinary)('loses and doubles nothing inside of workerd while that is killed', async () => {
  const random = createRandom(seed)
  const shop = createShop({ delayMs: () => random() * 30 })
  const { server, workerd } = await begin(shop)

  // A life has to come to something: on a busy machine it begins slowly.
  const kill = (): Promise<void> => workerd.killAndStart().then(() => shop.until(runs / 2, 20_000))
  const place = restatePlace({ ingress: server.ingress, kill })
  const report = await chaos(place, { shop, runs, kills, seed, lookMs: 500 })

  console.info(`workerd: ${JSON.stringify(report)}`)
  expect(report.faults, workerd.said()).toEqual([])
  expect(report.kills).toBe(kills)
})

it('asks nothing of its platform', async () => {
  const { builtins } = await bundleWorker(fileOf('..', '..', 'packages', 'restate', 'src', 'index.ts'))

  expect(builtins).toEqual([])
})
