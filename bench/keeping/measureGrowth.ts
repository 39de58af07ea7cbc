import type { Agent } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import type { Sample } from '../sample.ts'
import { keepRun } from './keepRun.ts'

/** Measures the size that an iteration with one tool adds to a journal, in short runs and in long ones. */
export async function measureGrowth(agent: Agent, journal: Required<Journal>): Promise<readonly Sample[]> {
  const samples: Sample[] = []
  for (const iterations of [10, 100, 1_000]) {
    const { turns, commits } = await keepRun(agent, journal, iterations)
    const bytes = new TextEncoder().encode(JSON.stringify(turns.flat())).length
    const where = `an iteration, in a run of ${iterations.toLocaleString('en')}`
    samples.push(
      { metric: `log of ${where}`, unit: 'bytes of JSON', value: bytes / iterations },
      { metric: `writes of ${where}`, unit: 'transactions', value: commits / iterations },
    )
  }
  return samples.toSorted((a, b) => a.unit.localeCompare(b.unit))
}
