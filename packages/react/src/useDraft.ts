import type { Run, RunState } from '@interleave/core'
import { useRun } from './useRun.ts'

/** The part of the streaming turn that has arrived; undefined between turns. */
export type Draft = NonNullable<RunState['draft']>

export const useDraft = (run: Run | undefined): Draft | undefined => useRun(run, draftOf)

export const draftOf = (state: RunState): Draft | undefined => state.draft
