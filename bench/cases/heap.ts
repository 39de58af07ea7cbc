import process from 'node:process'
import { collectGarbage } from '../cpu.ts'
import type { Bench, NodeCase } from '../nodeCase.ts'
import { sleep } from '../pace.ts'
import type { Sample } from '../sample.ts'
import type { Work } from '../work.ts'

const works: readonly (readonly [string, Partial<Work>])[] = [
  ['10 iterations', { iterations: 10, deltas: 100 }],
  ['50 iterations', { iterations: 50, deltas: 100 }],
  ['1,000 deltas', { deltas: 1_000 }],
]

/** The memory of a finished run, for an app that keeps its result, and for one that does not. */
export const heap: NodeCase = {
  name: 'heap',
  title: 'Heap per finished run',
  async measure(bench) {
    const samples: Sample[] = []
    for (const [name, work] of works) samples.push(...(await keptBy(bench, name, work)))
    return samples
  },
}

async function keptBy({ run, quick }: Bench, name: string, work: Partial<Work>): Promise<Sample[]> {
  const times = quick ? 40 : 150
  for (let i = 0; i < 20; i++) await run(work)
  const before = await heapBytes()
  for (let i = 0; i < times; i++) await run(work)
  const dropped = await heapBytes()
  const results: unknown[] = []
  for (let i = 0; i < times; i++) for (const { result } of await run(work)) results.push(result)
  const kept = await heapBytes()
  // Read after the measurement, so that nothing of it may be collected before.
  if (results.length !== times) throw new Error('A run gave no result.')
  return [
    { metric: `${name}, result kept`, unit: 'kB', value: (kept - dropped) / times / 1_000 },
    { metric: `${name}, not kept`, unit: 'kB', value: Math.max(0, dropped - before) / times / 1_000 },
  ]
}

async function heapBytes(): Promise<number> {
  for (let i = 0; i < 4; i++) {
    collectGarbage()
    await sleep(15)
  }
  collectGarbage()
  return process.memoryUsage().heapUsed
}
