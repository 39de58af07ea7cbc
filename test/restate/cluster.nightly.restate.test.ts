import { chaos } from '@interleave/test-kit/chaos/chaos'
import { createRandom } from '@interleave/test-kit/chaos/createRandom'
import { afterEach, expect, it } from 'vitest'
import { needsRestate } from './needsRestate.ts'
import { openTrial, type Trial } from './openTrial.ts'
import { restateBinary } from './restateBinary.ts'
import { restatePlace } from './restatePlace.ts'
import { type RestateCluster, startCluster } from './startCluster.ts'

/** RESTATE_RUNS and RESTATE_KILLS take other numbers, RESTATE_SEED the same ones again. */
const { RESTATE_RUNS = '12', RESTATE_KILLS = '9', RESTATE_SEED = `${Date.now() % 1_000}` } = process.env
const [runs, kills, seed] = [Number(RESTATE_RUNS), Number(RESTATE_KILLS), Number(RESTATE_SEED)]

needsRestate()

let trial: Trial<RestateCluster> | undefined

afterEach(() => trial?.close())

it.runIf(restateBinary)('loses and doubles nothing while nodes of a cluster are killed, and workers', async () => {
  const opened = await openTrial({ server: startCluster(), seed })
  trial = opened
  const { server, crew, shop } = opened
  const random = createRandom(seed)
  let nodes = 0
  let workers = 0
  const kill = async (): Promise<void> => {
    if (nodes > workers * 2) return crew.kill().then(() => void workers++)
    await server.killNode(random() * 1_500)
    nodes++
  }
  const place = restatePlace({ ingress: server.ingress, kill })
  const report = await chaos(place, {
    shop,
    runs,
    kills,
    seed,
    aim: ['charge', 'book'],
    gap: runs / 3,
  })
  place.close()
  console.info(`A cluster, ${nodes} kills of nodes, RESTATE_SEED=${seed}: ${JSON.stringify(report)}`)

  expect(report.faults).toEqual([])
  expect(nodes).toBeGreaterThan(1)
})
