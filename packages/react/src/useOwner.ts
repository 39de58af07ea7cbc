import type { Run } from '@interleave/core'
import { useCallback, useSyncExternalStore } from 'react'

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
