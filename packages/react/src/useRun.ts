import type { Run, RunState } from '@interleave/core'
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { type RunStore, storeOf } from './RunStore.ts'

/**
 * Returns a selection of a run's state, and renders when it changes, at most once per frame. Without a run the selector
 * receives an empty state.
 *
 * `selector` must return the same value for the same state, or the component renders forever. If it creates objects, pass
 * `isEqual`: while that returns true, the previous value stays.
 *
 * @example
 * const title = useRun(run, (state) => state.title)
 */
export const useRun = <T>(
  run: Run | undefined,
  selector: (state: RunState) => T,
  isEqual: (a: T, b: T) => boolean = Object.is,
): T => useSelected(storeOf(run), { selector, isEqual })

interface Selection<T> {
  readonly selector: (state: RunState) => T
  readonly isEqual: (a: T, b: T) => boolean
}
interface Selected<T> {
  readonly value: T
  readonly state?: RunState
}

/** Returns a selection of a store, the previous value if the new one is equal. */
export function useSelected<T>(store: RunStore, { selector, isEqual }: Selection<T>): T {
  const drawn = useRef<Selected<T>>(undefined)
  const [get, getInitial] = useMemo(() => {
    let latest: Selected<T> | undefined
    const select = (state: RunState): T => {
      if (latest?.state === state) return latest.value
      const value = selector(state)
      const before = latest ?? drawn.current
      latest = { state, value: before && isEqual(before.value, value) ? before.value : value }
      return latest.value
    }
    return [() => select(store.state), () => select(store.initialState)] as const
  }, [store, selector, isEqual])
  const value = useSyncExternalStore(store.subscribe, get, getInitial)
  useEffect(() => {
    drawn.current = { value }
  }, [value])
  return value
}
