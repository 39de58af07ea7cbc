import type { NodeCase } from '../nodeCase.ts'
import { median } from '../sample.ts'

/** Eight calls of one turn, each of a tool that takes 50 ms. At best a run is over after 50 ms. */
export const parallelTools: NodeCase = {
  name: 'parallel-tools',
  title: 'One turn with 8 tool calls of 50 ms',
  async measure({ kit, run, quick }) {
    await run({ iterations: 1, calls: 8 })
    kit.pace.toolMs = 50
    const taken = []
    for (let i = 0; i < (quick ? 3 : 10); i++) {
      const startedAt = performance.now()
      await run({ iterations: 1, calls: 8 })
      taken.push(performance.now() - startedAt)
    }
    return [{ metric: 'until the run is done', unit: 'ms', value: median(taken) }]
  },
}
