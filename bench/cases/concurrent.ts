import process from 'node:process'
import { collectGarbage } from '../cpu.ts'
import type { NodeCase } from '../nodeCase.ts'

const work = { iterations: 5 }

/** A thousand runs at the same time, with a model and a tool that take their time. At best it is over after 350 ms. */
export const concurrent: NodeCase = {
  name: 'concurrent',
  title: '1,000 runs at once: 5 tool calls each, model 50 ms, tool 10 ms',
  async measure({ kit, run }) {
    kit.pace.modelMs = kit.pace.toolMs = 1
    for (let i = 0; i < 10; i++) await run(work, { atOnce: 20 })
    kit.pace.modelMs = 50
    kit.pace.toolMs = 10
    collectGarbage()
    const startedAt = performance.now()
    const before = process.cpuUsage()
    await run(work, { atOnce: 1_000 })
    const wall = performance.now() - startedAt
    const { user, system } = process.cpuUsage(before)
    return [
      { metric: 'until all are done', unit: 'ms', value: wall },
      { metric: 'CPU of all threads', unit: 'ms CPU', value: (user + system) / 1_000 },
    ]
  },
}
