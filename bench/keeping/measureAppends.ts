import type { Durability } from '@interleave/core/journal'
import { percentile, type Sample } from '../sample.ts'
import type { Keeper } from './keeper.ts'
import type { Kept } from './keepRun.ts'

interface Appends extends Pick<Kept, 'runId' | 'turns'> {
  readonly durability: Durability
  readonly metric: string
}

/** Measures the time until the events of an iteration are durable: the median, and a high percentile. */
export async function measureAppends(
  keeper: Keeper,
  { runId, turns, durability, metric }: Appends,
): Promise<readonly Sample[]> {
  const append = await keeper.begin(runId, durability)
  const taken: number[] = []
  for (const events of turns) {
    const startedAt = performance.now()
    await append(events)
    taken.push(performance.now() - startedAt)
  }
  // The first ones warm the code up.
  const warm = taken.slice(taken.length >> 2)
  return [0.5, 0.95].map((share) => ({
    metric: `${metric}, p${share * 100}`,
    unit: 'µs',
    value: percentile(warm, share) * 1_000,
  }))
}
