import { useEffect, useSyncExternalStore } from 'react'
import { own } from '../parts/objects.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import { usePage, usePlayground } from '../run/usePlayground.ts'
import type { ServerState } from './probeServer.ts'

/** Returns the description of the server of a run, if it runs on one. */
export function useServer({ run, place }: Pick<Conversation, 'run' | 'place'>): ServerState | undefined {
  const { findServer } = usePlayground()
  const server = usePage(({ servers }) => servers.server)
  const isConnected = usePage(({ reach }) => own(reach.server.connections, run.id)?.type === 'connected')
  // A server that was too slow to describe itself, as one that has just started, is asked again once the run is connected.
  const isLate = server.type === 'missing' && server.why === 'down' && isConnected
  const isAsked = place === 'server' && (server.type === 'unknown' || isLate)
  useEffect(() => {
    if (isAsked) void findServer('server')
  }, [isAsked, findServer])
  return place === 'server' ? server : undefined
}

/** Returns true if the device has a network, as far as the browser knows. */
export const useOnline = (): boolean => useSyncExternalStore(follow, () => navigator.onLine)

function follow(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}
