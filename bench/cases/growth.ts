import { collectGarbage, cpuMs } from '../cpu.ts'
import { exponentOf, type Growing } from '../growth/growing.ts'
import { logsThatGrow } from '../growth/logs.ts'
import { notesThatGrow } from '../growth/notes.ts'
import { runsThatGrow } from '../growth/runs.ts'
import type { NodeCase } from '../nodeCase.ts'
import type { Sample } from '../sample.ts'

/** How the time of functions grows with the length of a run and the number of its parts. */
export const growth: NodeCase = {
  name: 'growth',
  title: 'Growth: the exponent k of the time n^k',
  subjects: ['interleave'],
  async measure({ quick }) {
    const samples: Sample[] = []
    for (const growing of [...notesThatGrow, ...runsThatGrow, ...logsThatGrow]) {
      const value = exponentOf(await timesOf(growing, quick))
      samples.push({ metric: growing.name, unit: 'exponent', value })
    }
    return samples
  },
}

/** The CPU milliseconds for each size: the least of some samples, since whatever disturbs one only adds to it. */
async function timesOf({ sizes, prepare }: Growing, quick: boolean): Promise<ReadonlyMap<number, number>> {
  const least = new Map<number, number>()
  for (const size of quick ? sizes.slice(0, 3) : sizes) {
    const make = await prepare(size)
    for (let sample = 0; sample < (quick ? 1 : 3); sample++) {
      const ms = await measure(make)
      least.set(size, Math.min(ms, least.get(size) ?? Number.POSITIVE_INFINITY))
    }
  }
  return least
}

/** Short work is repeated, each time with an input of its own: the clock is coarse. */
async function measure(make: () => () => unknown): Promise<number> {
  for (let times = 1; ; times *= 4) {
    const works = Array.from({ length: times }, make)
    collectGarbage()
    const start = cpuMs()
    for (const work of works) await work()
    const ms = cpuMs() - start
    if (ms >= 40 || times >= 64) return ms / times
  }
}
