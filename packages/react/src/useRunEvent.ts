import type { Run, RunState } from '@interleave/core'
import type { RemoteLink } from '@interleave/core/internal'
import type { AnyEvent, EventOf } from '@interleave/core/observe'
import { useEffect, useSyncExternalStore } from 'react'
import { useLatest } from './effects.ts'
import { type RunOwner, storeOf } from './RunStore.ts'

/**
 * Calls a function with each event of a type as it happens, including live ones such as `delta`, without a render. Always
 * calls the function of the latest render, and only while the component is mounted and shown.
 *
 * @example
 * useRunEvent(run, 'rested', ({ signal }) => signal.type === 'answer' && play(chime))
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
 * {useLink(run)?.type === 'waiting' && <p role="status">The server cannot be reached. Messages are sent when it is back.</p>}
 */
export function useLink(run: Run | undefined): RemoteLink | undefined {
  const store = storeOf(run)
  return useSyncExternalStore(
    store.subscribe,
    () => store.link,
    () => undefined,
  )
}
