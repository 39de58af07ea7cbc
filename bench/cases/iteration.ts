import { measureSizes, warmUp } from '../cpu.ts'
import type { NodeCase } from '../nodeCase.ts'

const allSizes = [10, 50, 200, 1_000, 10_000]

/** What a turn with one tool call costs, in short runs and in long ones. */
export const iteration: NodeCase = {
  name: 'iteration',
  title: 'Cost per iteration (a model turn and its tool call)',
  async measure({ subject, run, quick }) {
    const { maxIterations = 10_000 } = subject
    const sizes = allSizes.filter((size) => size <= maxIterations)
    await warmUp(quick ? 600 : 1_500, () => run({ iterations: 20 }))
    const plan = quick ? { sampleMs: 25, samples: 2 } : { sampleMs: 40, samples: 5 }
    const costs = await measureSizes(sizes, (iterations) => run({ iterations }), plan)
    return [...costs].map(([size, ms]) => ({
      metric: `in a run of ${size.toLocaleString('en')}`,
      unit: 'µs CPU',
      value: (ms * 1_000) / size,
    }))
  },
}
