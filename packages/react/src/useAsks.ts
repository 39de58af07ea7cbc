import type { Ask, Run, RunState } from '@interleave/core'
import { useRun } from './useRun.ts'

/** The open questions of a run, oldest first. */
export const useAsks = (run: Run | undefined): readonly Ask[] => useRun(run, asksOf)

export const asksOf = (state: RunState): readonly Ask[] => state.asks
