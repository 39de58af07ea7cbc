import { type Run, type ScratchpadEntry, scratchpad } from '@interleave/core'
import { useRun } from './useRun.ts'

/** Thoughts, actions and observations of a run, oldest first. Entries of the past keep their identity. */
export const useScratchpad = (run: Run | undefined): readonly ScratchpadEntry[] => useRun(run, scratchpad)
