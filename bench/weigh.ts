// Weighs one subject in a process of its own: what it makes and what it leaves, which no other work on the machine changes.
//
//   node --expose-gc --no-opt --min-semi-space-size=128 --max-semi-space-size=128 bench/weigh.ts interleave

import { createHook } from 'node:async_hooks'
import process from 'node:process'
import { createKit } from './kit.ts'
import { createRunner } from './runner.ts'
import { median } from './sample.ts'
import { loadSubject } from './subjects.ts'
import type { Weights } from './weights.ts'
import type { Work } from './work.ts'

const run = createRunner(await loadSubject(process.argv[2] ?? ''), createKit())
const collect = (type: 'major' | 'minor'): void => globalThis.gc?.({ type, execution: 'sync' })
const heap = (): number => process.memoryUsage().heapUsed

async function repeat(times: number, work: Partial<Work>): Promise<void> {
  for (let time = 0; time < times; time++) await run(work)
}

async function promisesOf(work: Partial<Work>): Promise<number> {
  let promises = 0
  const hook = createHook({
    init(_id, type) {
      if (type === 'PROMISE') promises++
    },
  }).enable()
  await run(work)
  hook.disable()
  return promises
}

async function bytesOf(work: Partial<Work>): Promise<number> {
  collect('major')
  const before = heap()
  await repeat(4, work)
  return (heap() - before) / 4
}

/**
 * Returns what one piece of work more takes, without what a run takes anyway: the middle of three measurements, since a collector that still
 * sweeps spoils one. Deltas are small, so that many are needed to see them beside what timers and the process itself allocate.
 */
async function each(kind: 'iterations' | 'deltas', measure: (work: Partial<Work>) => Promise<number>): Promise<number> {
  const [few, many] = kind === 'deltas' ? [100, 1100] : [10, 110]
  const measured: number[] = []
  for (let time = 0; time < 3; time++) {
    const less = await measure({ [kind]: few })
    measured.push(((await measure({ [kind]: many })) - less) / (many - few))
  }
  return median(measured)
}

/**
 * Returns the memory that a finished run without references leaves until the next full collection, which may take long
 * to come.
 */
async function leftByRun(): Promise<number> {
  const runs = 100
  collect('major')
  for (let time = 0; time < 3; time++) collect('minor')
  const before = heap()
  for (let time = 0; time < runs; time++) {
    await run({ iterations: 10 })
    if (time % 10 === 9) collect('minor')
  }
  for (let time = 0; time < 3; time++) collect('minor')
  return (heap() - before) / runs
}

await repeat(200, { iterations: 10, deltas: 20 })
const weights: Weights = {
  promises: { iteration: await each('iterations', promisesOf), delta: await each('deltas', promisesOf) },
  bytes: { iteration: await each('iterations', bytesOf), delta: await each('deltas', bytesOf) },
  left: median([await leftByRun(), await leftByRun(), await leftByRun()]),
}
process.stdout.write(`${JSON.stringify(weights)}\n`)
