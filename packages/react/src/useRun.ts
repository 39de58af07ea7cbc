import type { Run, RunState } from '@interleave/core'
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { type RunStore, storeOf } from './RunStore.ts'

/**
 * Returns a selection of a run's state, and renders when it changes, at most once per frame. Without a run the selector
 * receives an empty state.
 */
export const useRun = <T>(
  run: Run | undefined,
  selector: (state: RunState) => T,
  isEqual: (a: T, b: T) => boolean = Object.is,
): T => useSelected(storeOf(run), { selector, isEqual })

interface Selecting<T> {
  readonly selector: (state: RunState) => T
  readonly isEqual: (a: T, b: T) => boolean
}

/** Returns a selection of a store, the previous value if the new one is equal. */
export function useSelected<T>(store: RunStore, { selector, isEqual }: Selecting<T>): T {
  const drawn = useRef<Box<T>>(undefined)
  const [get, getInitial] = useMemo(() => {
    const select = selectOnce({ selector, isEqual }, drawn)
    return [() => select(store.getState()), () => select(store.getInitialState())] as const
  }, [store, selector, isEqual])
  const value = useSyncExternalStore(store.subscribe, get, getInitial)
  useEffect(() => {
    drawn.current = { value }
  }, [value])
  return value
}

interface Box<T> {
  readonly value: T
  readonly state?: RunState
}

/** Selects once per state, and gives the value of before where the new one equals it. */
function selectOnce<T>(
  { selector, isEqual }: Selecting<T>,
  drawn: { readonly current: Box<T> | undefined },
): (state: RunState) => T {
  let seen: Box<T> | undefined
  return (state) => {
    if (seen?.state === state) return seen.value
    const value = selector(state)
    const before = seen ?? drawn.current
    seen = { state, value: before && isEqual(before.value, value) ? before.value : value }
    return seen.value
  }
}
