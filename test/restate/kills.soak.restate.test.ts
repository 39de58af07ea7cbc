import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { type ChaosOptions, type ChaosPlace, type ChaosReport, chaos } from '@interleave/test-kit/chaos/chaos'
import { mutants } from '@interleave/test-kit/chaos/mutants'
import { afterAll, afterEach, expect, it } from 'vitest'
import { needsRestate } from './needsRestate.ts'
import { openTrial, type Trial } from './openTrial.ts'
import { restatePlace } from './restatePlace.ts'
import { type RestateServer, restateBinary, startRestate } from './startRestate.ts'
import type { WorkerSettings } from './startWorker.ts'

/** RESTATE_RUNS and RESTATE_KILLS take other numbers, of all trials; RESTATE_SEED the same ones again. */
const { RESTATE_RUNS, RESTATE_KILLS, RESTATE_SEED = `${Date.now() % 1_000}` } = process.env
const seed = Number(RESTATE_SEED)
const numbers = (runs: number, kills: number) => ({
  runs: Number(RESTATE_RUNS ?? runs),
  kills: Number(RESTATE_KILLS ?? kills),
})

/** Milliseconds for which a worker is stopped. */
const stoppedMs = 1_500

needsRestate()

let trial: Trial<RestateServer> | undefined
/** That of the next trial, which takes its time to be there. */
let next: Promise<RestateServer> | undefined
/** Fewer partitions are there sooner. */
const startServer = (): Promise<RestateServer> => startRestate({ RESTATE_DEFAULT_NUM_PARTITIONS: '4' })

afterEach(async () => {
  await trial?.close()
  trial = undefined
})

afterAll(async () => (await next)?.close())

interface Playing extends Partial<ChaosOptions>, Pick<WorkerSettings, 'mode' | 'rule'> {
  readonly kill: (trial: Trial<RestateServer>) => ReturnType<ChaosPlace['kill']>
}

async function play(what: string, { mode = 'http2', rule, kill, ...options }: Playing): Promise<ChaosReport> {
  const server = next ?? startServer()
  next = startServer()
  const opened = await openTrial({ server, seed, mode, ...(rule !== undefined && { rule }) })
  trial = opened
  const place = restatePlace({ ingress: opened.server.ingress, kill: () => kill(opened) })
  const report = await chaos(place, { aim: ['charge', 'book'], ...options, shop: opened.shop, seed })
  place.close()
  console.info(`${what}, RESTATE_SEED=${seed}: ${JSON.stringify({ ...options, ...report })}`)
  return report
}

/** The way to the worker is lost, and it works on. */
async function cutOff({ crew, door }: Trial<RestateServer>): Promise<ChildProcess> {
  const worker = await crew.relieve()
  door.cut()
  return worker
}

it.runIf(restateBinary)('loses and doubles nothing while workers are killed', async () => {
  const { runs, kills } = numbers(40, 20)
  const report = await play('Killed workers', { runs, kills, kill: ({ crew }) => crew.kill() })

  expect(report.faults).toEqual([])
  expect(report.kills).toBe(kills)
})

it.runIf(restateBinary)(
  'loses and doubles nothing behind a fetch handler while workers and Restate are killed',
  async () => {
    let killed = 0
    const report = await play('Killed workers and Restate', {
      ...numbers(12, 6),
      mode: 'fetch',
      kill: ({ crew, server }) => (killed++ % 2 === 0 ? crew.kill() : server.restart()),
    })

    expect(report.faults).toEqual([])
    expect(killed).toBeGreaterThan(1)
  },
)

it.runIf(restateBinary)('takes no harm of a worker that was stopped and wakes', async () => {
  const zombies: ChildProcess[] = []
  const report = await play('Stopped workers', {
    ...numbers(12, 3),
    // No request can be called back: what a worker was about to send leaves when it wakes.
    lookMs: stoppedMs + 1_000,
    async kill({ crew, door }) {
      const zombie = await crew.relieve()
      zombie.kill('SIGSTOP')
      door.cut()
      await pause(stoppedMs)
      zombie.kill('SIGCONT')
      zombies.push(zombie)
    },
  })

  expect(report.faults).toEqual([])
  expect(zombies.map(({ exitCode, signalCode }) => exitCode ?? signalCode)).toEqual(zombies.map(() => null))
})

it.runIf(restateBinary)('takes no harm of a worker that works on where no one receives it', async () => {
  const report = await play('Unheard workers', { ...numbers(12, 6), mode: 'fetch', kill: cutOff, lookMs: 500 })

  expect(report.faults).toEqual([])
})

/** Behind a fetch handler, where the host keeps all rules itself. On HTTP/2 Restate takes nothing more of an attempt that was followed. */
it.runIf(restateBinary).each(mutants)(
  'notices where it does not hold that $rule',
  { retry: 2 },
  async ({ rule, aim, lastMs }) => {
    const isFence = rule === mutants[0]?.rule
    const { faults } = await play(`Not that ${rule}`, {
      ...{ runs: 6, kills: 4, stuckAfterMs: 2_000, mode: 'fetch', rule, aim },
      kill: (it) => (isFence ? cutOff(it) : it.crew.kill(lastMs)),
    })

    expect(faults.filter((fault) => !fault.startsWith('stuck:'))).not.toEqual([])
  },
)
