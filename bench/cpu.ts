import process from 'node:process'
import { median } from './sample.ts'

/** The CPU time of this thread, in milliseconds: other work on the machine does not count, as it would on a clock. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

export const collectGarbage = (): void => globalThis.gc?.()

interface Plan {
  /** CPU milliseconds that a sample takes at least: the clock is coarse. */
  readonly sampleMs: number
  readonly samples: number
}

/**
 * The CPU milliseconds of one `body(size)` for each size: the median of samples, which alternate between the sizes so that
 * whatever disturbs one of them disturbs all.
 */
export async function measureSizes(
  sizes: readonly number[],
  body: (size: number) => Promise<unknown>,
  { sampleMs, samples }: Plan,
): Promise<Map<number, number>> {
  const perSize = new Map(sizes.map((size) => [size, { times: 1, taken: [] as number[] }]))
  for (const [size, entry] of perSize) entry.times = await timesToFill(sampleMs, () => body(size))
  for (let i = 0; i < samples; i++) {
    for (const [size, { times, taken }] of perSize) {
      collectGarbage()
      const start = cpuMs()
      for (let time = 0; time < times; time++) await body(size)
      taken.push((cpuMs() - start) / times)
    }
  }
  return new Map([...perSize].map(([size, { taken }]) => [size, median(taken)]))
}

export interface Steady {
  /** CPU milliseconds of one body. */
  readonly ms: number
  /** The largest heap that a body left. */
  readonly peakBytes: number
}

/** Measures a body that runs for a while, as in a server: only the engine collects garbage, and code stays optimized. */
export async function measureSteady(ms: number, body: () => Promise<unknown>): Promise<Steady> {
  collectGarbage()
  const start = cpuMs()
  let times = 0
  let peakBytes = 0
  do {
    await body()
    times++
    peakBytes = Math.max(peakBytes, process.memoryUsage().heapUsed)
  } while (cpuMs() - start < ms)
  return { ms: (cpuMs() - start) / times, peakBytes }
}

async function timesToFill(ms: number, body: () => Promise<unknown>): Promise<number> {
  const start = cpuMs()
  let times = 0
  do {
    await body()
    times++
  } while (cpuMs() - start < ms)
  return times
}

/** Lets the compiler see the code before it is measured. */
export async function warmUp(ms: number, body: () => Promise<unknown>): Promise<void> {
  const end = cpuMs() + ms
  while (cpuMs() < end) await body()
}
