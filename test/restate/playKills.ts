import type { ChildProcess } from 'node:child_process'
import { type ChaosOptions, type ChaosPlace, type ChaosReport, chaos } from '@interleave/test-kit/chaos/chaos'
import { afterAll, afterEach } from 'vitest'
import { openTrial, type Trial } from './openTrial.ts'
import { restatePlace } from './restatePlace.ts'
import { type RestateServer, startRestate } from './startRestate.ts'
import type { WorkerSettings } from './startWorker.ts'

/** RESTATE_SEED takes the numbers of a failure again. */
const seed = Number(process.env.RESTATE_SEED ?? Date.now() % 1_000)

let trial: Trial<RestateServer> | undefined
/** That of the next trial, which takes its time to be there. */
let next: Promise<RestateServer> | undefined
/** Fewer partitions are there sooner. */
const startServer = (): Promise<RestateServer> => startRestate({ RESTATE_DEFAULT_NUM_PARTITIONS: '4' })

/** Closes what `play` opens, after each test of a file. */
export function closeTrials(): void {
  afterEach(async () => {
    await trial?.close()
    trial = undefined
  })
  afterAll(async () => {
    await (await next)?.close()
    next = undefined
  })
}

export interface Playing extends Partial<ChaosOptions>, Pick<WorkerSettings, 'mode' | 'rule'> {
  readonly kill: (trial: Trial<RestateServer>) => ReturnType<ChaosPlace['kill']>
}

/** Lets users shop while workers and servers are killed, and returns what came of it. */
export async function play(what: string, { mode = 'http2', rule, kill, ...options }: Playing): Promise<ChaosReport> {
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
export async function cutOff({ crew, gate }: Trial<RestateServer>): Promise<ChildProcess> {
  const worker = await crew.relieve()
  gate.cut()
  return worker
}
