import type { Run, RunState } from '@interleave/core'
import { storeOf } from './createRunStore.ts'
import { useSelected } from './useSelected.ts'

/**
 * What a selector finds in the state of a run, rendered anew when that changes and at most once per frame. Without a run the
 * selector is given an empty state.
 */
export const useRun = <T>(
  run: Run | undefined,
  selector: (state: RunState) => T,
  isEqual: (a: T, b: T) => boolean = Object.is,
): T => useSelected(storeOf(run), { selector, isEqual })
