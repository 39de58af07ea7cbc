import type { Run, RunState } from '@interleave/core'
import { storeOf } from './createRunStore.ts'
import { useSelected } from './useSelected.ts'

/**
 * Returns a selection of a run's state, and renders when it changes, at most once per frame. Without a run the selector
 * receives an empty state.
 */
export const useRun = <T>(
  run: Run | undefined,
  selector: (state: RunState) => T,
  isEqual: (a: T, b: T) => boolean = Object.is,
): T => useSelected(storeOf(run), { selector, isEqual })
