import { measureSizes, measureSteady, warmUp } from '../cpu.ts'
import type { NodeCase } from '../nodeCase.ts'

/** The cost of a delta of text from the model to the consumer. */
export const delta: NodeCase = {
  name: 'delta',
  title: 'Cost per text delta',
  async measure({ run, quick }) {
    await warmUp(quick ? 600 : 1_500, () => run({ deltas: 1_000 }))
    const plan = quick ? { sampleMs: 25, samples: 2 } : { sampleMs: 40, samples: 5 }
    const costs = await measureSizes([1_000, 10_000, 40_000], (deltas) => run({ deltas }), plan)
    const steady = await measureSteady(quick ? 600 : 2_000, () => run({ deltas: 10_000 }))
    const collected = [...costs].map(([size, ms]) => ({
      metric: `in a turn of ${size.toLocaleString('en')}, after a full collection`,
      unit: 'µs CPU',
      value: (ms * 1_000) / size,
    }))
    return [{ metric: 'in turns of 10,000, steady', unit: 'µs CPU', value: steady.ms / 10 }, ...collected]
  },
}
