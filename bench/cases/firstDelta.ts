import type { Bench, NodeCase } from '../nodeCase.ts'
import { median } from '../sample.ts'

/** The time until the consumer has the first delta of text. */
export const firstDelta: NodeCase = {
  name: 'first-delta',
  title: 'Time to the first text delta',
  async measure(bench) {
    const times = bench.quick ? 100 : 300
    const warm = times >> 1
    const fromStart = (await latencies(bench, times + warm)).slice(warm).map(({ sinceStart }) => sinceStart)
    bench.kit.pace.firstDeltaMs = 2
    const fromModel = (await latencies(bench, times + warm)).slice(warm).map(({ sinceSent }) => sinceSent)
    return [
      { metric: 'from the start of a run', unit: 'µs', value: median(fromStart) * 1_000 },
      { metric: 'from the model, after a wait', unit: 'µs', value: median(fromModel) * 1_000 },
    ]
  },
}

async function latencies({ kit, run }: Bench, times: number): Promise<{ sinceStart: number; sinceSent: number }[]> {
  const all = []
  for (let i = 0; i < times; i++) {
    const startedAt = performance.now()
    let arrivedAt = 0
    await run({ deltas: 5 }, { textAnswer: () => (arrivedAt ||= performance.now()) })
    all.push({ sinceStart: arrivedAt - startedAt, sinceSent: arrivedAt - kit.counts.firstDeltaAt })
  }
  return all
}
