import type { Run, RunState } from '@interleave/core'
import { fold } from '@interleave/core/observe'
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { createRunStore, type RunStore } from './createRunStore.ts'

/** The state of no run: everything in it is empty. */
const noState: RunState = fold([])

const noStore: RunStore = {
  getState: () => noState,
  getInitialState: () => noState,
  subscribe: () => () => {},
}

export const storeOf = (run: Run | undefined): RunStore => (run ? createRunStore(run) : noStore)

/**
 * What a selector finds in the state of a run, rendered anew when that changes and at most once per frame. Without a run the
 * selector is given an empty state.
 */
export function useRun<T>(
  run: Run | undefined,
  selector: (state: RunState) => T,
  isEqual: (a: T, b: T) => boolean = Object.is,
): T {
  const store = storeOf(run)
  const drawn = useRef<Box<T>>(undefined)
  const [get, getInitial] = useMemo(() => {
    const select = selectOnce(selector, isEqual, drawn)
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
  selector: (state: RunState) => T,
  isEqual: (a: T, b: T) => boolean,
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
