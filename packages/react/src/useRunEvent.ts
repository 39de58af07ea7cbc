import type { Run, RunState } from '@interleave/core'
import type { RemoteLink } from '@interleave/core/internal'
import type { AnyEvent, EventOf } from '@interleave/core/observe'
import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { useLatest } from './effects.ts'

/**
 * Calls a function with each event of a type, live ones such as `delta` included, as they happen and whether or not anything is
 * rendered. It is the function of the latest render, so it sees what that saw. Called while the component is mounted and shown.
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

/** Where a run works: in this tab, in another one, or in none for a moment. */
export type RunOwner = 'here' | 'elsewhere' | 'nobody'

/**
 * Where a run works that tabs share (`acrossTabs` of `@interleave/connect/tabs`). A run of an agent itself works here; without a
 * run it is undefined.
 *
 * @example
 * {useOwner(run) === 'elsewhere' && <p role="status">This run works in another tab. You can answer and stop it here.</p>}
 */
export function useOwner(run: Run | undefined): RunOwner | undefined {
  const subscribe = useCallback(
    (changed: () => void) => run?.subscribe(({ type }) => type === 'owned' && changed()) ?? (() => {}),
    [run],
  )
  const read = (): RunOwner | undefined => run && ownerOf(run)
  return useSyncExternalStore(subscribe, read, read)
}

const ownerOf = (run: Run & { readonly owner?: RunOwner }): RunOwner => run.owner ?? 'here'

/**
 * Returns the connection of the page to the server of a `remoteAgent()` run: `connecting`, `connected`, or `waiting`
 * until it retries. Undefined for other runs, without a run, and on a server.
 *
 * @example
 * {useLink(run)?.type === 'waiting' && <p role="status">The server cannot be reached. What you say is sent when it is back.</p>}
 */
export function useLink(run: Run | undefined): RemoteLink | undefined {
  const subscribe = useCallback(
    (changed: () => void) => run?.subscribe(({ type }) => type === 'linked' && changed()) ?? (() => {}),
    [run],
  )
  const read = (): RemoteLink | undefined => (run as { readonly link?: RemoteLink } | undefined)?.link
  return useSyncExternalStore(subscribe, read, () => undefined)
}
