import { chaos } from '@interleave/test-kit/chaos/chaos'
import { LossyNetwork } from '@interleave/test-kit/lossyNetwork'
import { expect, it, onTestFinished } from 'vitest'
import { needsRestate } from './needsRestate.ts'
import { openTrial } from './openTrial.ts'
import { restatePlace } from './restatePlace.ts'
import { restateBinary, startRestate } from './startRestate.ts'

/** RESTATE_RUNS takes another number, and RESTATE_SEED the same faults again. */
const { RESTATE_RUNS = '30', RESTATE_SEED = `${Date.now() % 1_000}` } = process.env
const [runs, seed] = [Number(RESTATE_RUNS), Number(RESTATE_SEED)]

needsRestate()

it.runIf(restateBinary)(
  'ends no run whose answers are lost, late or doubled: those of its client, and those of its worker',
  async () => {
    const server = startRestate({ RESTATE_DEFAULT_NUM_PARTITIONS: '4' })
    const trial = await openTrial({ server, seed, mode: 'http2', lossy: seed + 1 })
    onTestFinished(() => trial.close())
    const network = new LossyNetwork({ seed })
    const { ingress } = trial.server
    const place = restatePlace({
      ...{ ingress, kill: async () => {} },
      fetch: network.fetch((url, init) => fetch(url, init)),
    })
    onTestFinished(() => place.close())

    const report = await chaos(place, { shop: trial.shop, runs, kills: 0, seed })

    console.info(`Lost answers of Restate, RESTATE_SEED=${seed}: ${network.count} ${JSON.stringify(report)}`)
    expect(report.faults).toEqual([])
    expect(network.count).toBeGreaterThan(runs)
  },
)
