import { type Run, type RunState, scratchpad, type Usage } from '@interleave/core'
import { useRun } from './useRun.ts'

/** Tokens and cost of a run, in total and for each turn that its history still holds. */
export interface RunUsage {
  readonly total: Usage
  readonly iterations: readonly IterationUsage[]
}
export interface IterationUsage {
  readonly iteration: number
  readonly usage: Usage
  /** Duration of the model call, in milliseconds. */
  readonly ms: number
}

/** The same object until the next turn is finished. */
export const useUsage = (run: Run | undefined): RunUsage => useRun(run, usageOf)

const perTotal = new WeakMap<Usage, RunUsage>()

export function usageOf(state: RunState): RunUsage {
  const { usage: total } = state
  // Each turn adds up a new total, so the total tells whether there is anything new.
  const known = perTotal.get(total)
  if (known) return known
  const made: RunUsage = { total, iterations: scratchpad(state).flatMap(toIteration) }
  perTotal.set(total, made)
  return made
}

function toIteration(entry: ReturnType<typeof scratchpad>[number]): IterationUsage[] {
  if (entry.type !== 'thought') return []
  const { iteration, usage, ms } = entry
  return [{ iteration, usage, ms }]
}
