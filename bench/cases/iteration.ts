import { measureSizes, measureSteady, warmUp } from '../cpu.ts'
import type { NodeCase } from '../nodeCase.ts'
import type { Sample } from '../sample.ts'

const allSizes = [10, 50, 200, 1_000, 10_000]

/** The cost of a turn with one tool call, in short runs and in long ones. */
export const iteration: NodeCase = {
  name: 'iteration',
  title: 'Cost per iteration (a model turn and its tool call)',
  async measure({ subject, run, quick }) {
    const { maxIterations = 10_000 } = subject
    const sizes = allSizes.filter((size) => size <= maxIterations)
    await warmUp(quick ? 600 : 1_500, () => run({ iterations: 20 }))
    const steady = await steadySamples((iterations) => run({ iterations }), quick ? 600 : 3_000)
    const plan = quick ? { sampleMs: 25, samples: 2 } : { sampleMs: 40, samples: 5 }
    const costs = await measureSizes(sizes, (iterations) => run({ iterations }), plan)
    const collected = [...costs].map(([size, ms]) => ({
      metric: `in a run of ${size.toLocaleString('en')}, after a full collection`,
      unit: 'µs CPU',
      value: (ms * 1_000) / size,
    }))
    return [...steady, ...collected]
  },
}

/** Runs of one size for some seconds. A full collection before each sample would also throw optimized code away. */
async function steadySamples(run: (iterations: number) => Promise<unknown>, ms: number): Promise<Sample[]> {
  const samples: Sample[] = []
  for (const size of [10, 200]) {
    await warmUp(ms / 3, () => run(size))
    const steady = await measureSteady(ms, () => run(size))
    samples.push(
      { metric: `in runs of ${size}, steady`, unit: 'µs CPU', value: (steady.ms * 1_000) / size },
      { metric: `in runs of ${size}, steady: largest heap`, unit: 'MB', value: steady.peakBytes / 1_000_000 },
    )
  }
  return samples
}
