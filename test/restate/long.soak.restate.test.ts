import { liveHub, restateAgent, restateHost, restateJournal } from '@interleave/restate'
import * as sdk from '@restatedev/restate-sdk'
import { expect, it } from 'vitest'
import { restateOfFile } from './restateOfFile.ts'
import { restateBinary } from './startRestate.ts'
import { stepper } from './steps.ts'

/** RESTATE_STEPS and RESTATE_PACE take other numbers of steps and of runs side by side. */
const [steps, side] = [Number(process.env.RESTATE_STEPS ?? 200), Number(process.env.RESTATE_PACE ?? 20)]

const rounds = 4

const restate = restateOfFile()

const secondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const before = performance.now()
  await work()
  return (performance.now() - before) / 1_000
}

it.runIf(restateBinary)('goes through a long run in segments, behind a fetch handler', async () => {
  const { ingress } = restate.server
  const { services } = restateHost({
    sdk,
    ingress,
    name: 'long',
    agents: [stepper(steps)],
    segment: { turns: 50 },
    bidirectional: false,
  })
  await restate.serve(services, 'fetch')
  const run = restateAgent({ agent: `steps-${steps}`, name: 'long', ingress }).start('Go', { id: 'long' })

  const seconds = await secondsOf(async () => expect(await run.settled).toMatchObject({ output: `${steps} steps.` }))

  console.info(`A run of ${steps} steps behind a fetch handler: ${seconds.toFixed(1)} s`)
  const log = await restateJournal({ ingress, name: 'long' }).read('long')
  expect(log.filter(({ type }) => type === 'thought')).toHaveLength(steps + 1)
  expect(log.filter(({ type }) => type === 'claimed')).toHaveLength(steps)
})

it.runIf(restateBinary)('says how its pace compares with that of a bare workflow', async () => {
  const { ingress } = restate.server
  const hub = liveHub()
  const bare = sdk.workflow({
    name: 'bare',
    handlers: {
      run: async (ctx: Parameters<Parameters<typeof sdk.handlers.workflow.workflow>[0]>[0]) => {
        for (let step = 0; step < 20; step++) await ctx.run(`${step}`, () => 'x'.repeat(200))
      },
    },
  })
  const { services } = restateHost({
    sdk,
    ingress,
    name: 'pace',
    agents: [stepper(10), stepper(10, 'idempotent')],
    onLive: hub.publish,
  })
  await restate.serve([...services, bare])
  const of = (agent: string) => restateAgent({ agent, name: 'pace', ingress, live: hub.subscribe })
  const [innocuous, claimed] = [of('steps-10'), of('steps-10-idempotent')]
  const all = (work: (at: number) => Promise<unknown>) => Promise.all(Array.from({ length: side }, (_, at) => work(at)))

  const ours = (agent: typeof innocuous) => secondsOf(() => all(() => agent.start('Go').settled))
  const theirs = (round: number) =>
    secondsOf(() => all((at) => fetch(`${ingress}/bare/${round}-${at}/run`, { method: 'POST' })))
  const seconds: (readonly [number, number, number])[] = []
  for (let round = 0; round < rounds; round++)
    seconds.push([await ours(innocuous), await ours(claimed), await theirs(round)])

  // Ten turns and ten calls are twenty steps. The first rounds run cold code.
  const warm = seconds.slice(-2)
  const paceOf = (which: 0 | 1 | 2): number =>
    Math.round((warm.length * side * 20) / warm.reduce((sum, each) => sum + each[which], 0))
  const [pace, claimedPace, barePace] = [paceOf(0), paceOf(1), paceOf(2)]
  console.info(
    `${side} runs of 20 steps: ${pace} steps/s, ${claimedPace} where calls are claimed, a bare workflow ${barePace}`,
  )
  expect(pace).toBeGreaterThan(0)
})
