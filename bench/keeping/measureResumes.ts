import { median, type Sample } from '../sample.ts'
import type { Keeper } from './keeper.ts'

/** Measures the time until a run is resumed, and the parts of that time. */
export async function measureResumes(keeper: Keeper, runId: string, times: number): Promise<readonly Sample[]> {
  const all = []
  for (let i = 0; i < times; i++) all.push(await keeper.resume(runId))
  // The first ones warm the code up.
  const warm = all.slice(times >> 1)
  const parts = Object.keys(warm[0]?.parts ?? {})
  return [
    { metric: 'resume of 1,000 iterations', unit: 'ms', value: median(warm.map(({ ms }) => ms)) },
    ...parts.map((part) => ({
      metric: `of that, ${part}`,
      unit: 'ms',
      value: median(warm.map((resumed) => resumed.parts[part] ?? 0)),
    })),
  ]
}
