import { useEffect } from 'react'
import { usePage, usePlayground } from '../run/usePlayground.ts'
import { isServed, type Place } from '../workers/Place.ts'

/** Returns whether the page can end what executes a run there. A server says so of itself. */
export function useCanKill(place: Place): boolean {
  const { findServer } = usePlayground()
  const server = usePage(({ servers }) => servers.server)
  const isAsked = place === 'server' && server.type === 'unknown'
  useEffect(() => {
    if (isAsked) void findServer('server')
  }, [isAsked, findServer])
  if (place === 'server') return server.type === 'there' && server.canKill
  return !isServed(place)
}
