import type { Run } from '@interleave/core'
import type { RemoteLink } from '@interleave/core/internal'
import { useCallback, useSyncExternalStore } from 'react'

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
