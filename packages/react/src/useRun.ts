import type { Run, RunState } from '@interleave/core'
import type { ConnectionState } from '@interleave/core/internal'
import type { AnyEvent, EventOf } from '@interleave/core/observe'
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { useLatest } from './effects.ts'
import { type RunOwner, type RunStore, storeOf } from './RunStore.ts'

/**
 * Returns a selection of a run's state, and renders when it changes, at most once per frame. Without a run the selector
 * receives an empty state.
 *
 * `selector` must return the same value for the same state, or the component renders forever. If it creates objects, pass
 * `isEqual`: while that returns true, the previous value stays.
 *
 * @example
 * const turns = useRun(run, (state) => state.iteration)
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
    return [() => select(store.getState()), () => select(store.getInitialState())] as const
  }, [store, selector, isEqual])
  const value = useSyncExternalStore(store.subscribe, get, getInitial)
  useEffect(() => {
    drawn.current = { value }
  }, [value])
  return value
}

/**
 * Calls a function with each event of a type as it happens, including live ones such as `delta`, without a render. Always
 * calls the function of the latest render, and only while the component is mounted and shown.
 *
 * @example
 * useRunEvent(run, 'settled', ({ signal }) => signal.type === 'answer' && play(chime))
 */
export function useRunEvent<Type extends AnyEvent['type']>(
  run: Run | undefined,
  type: Type,
  fn: (event: EventOf<Type>, state: RunState) => unknown,
): void {
  const latest = useLatest(fn)
  useEffect(
    () => run?.subscribe((event, state) => isOf(event, type) && void latest.current(event, state)),
    [run, type, latest],
  )
}

const isOf = <Type extends AnyEvent['type']>(event: AnyEvent, type: Type): event is EventOf<Type> => event.type === type

/**
 * Returns where a run executes that tabs share (`acrossTabs` of `@interleave/connect/tabs`). Other runs are always `here`;
 * undefined without a run.
 *
 * @example
 * {useOwner(run) === 'elsewhere' && <p role="status">This run works in another tab. You can answer and stop it here.</p>}
 */
export function useOwner(run: Run | undefined): RunOwner | undefined {
  const store = storeOf(run)
  const read = (): RunOwner | undefined => store.owner
  return useSyncExternalStore(store.subscribe, read, read)
}

/**
 * Returns the connection of the page to the server of a `remoteAgent()` run: `connecting`, `connected`, or `waiting`
 * until it retries. Undefined for other runs, without a run, and on a server.
 *
 * @example
 * {useConnection(run)?.type === 'waiting' && <p role="status">The server cannot be reached. Messages are sent when it is back.</p>}
 */
export function useConnection(run: Run | undefined): ConnectionState | undefined {
  const store = storeOf(run)
  return useSyncExternalStore(
    store.subscribe,
    () => store.connection,
    () => undefined,
  )
}
