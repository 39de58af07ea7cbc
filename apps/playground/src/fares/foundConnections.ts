import { type RunState, scratchpad } from '@interleave/core'
import type { Connection } from '../data/connections.ts'

/** The connections that were found for the user's latest request, each once. */
export function foundConnections(state: RunState): readonly Connection[] {
  const found = scratchpad(state).flatMap((entry) => {
    const isNew = entry.type === 'observation' && entry.iteration > state.request.iteration
    if (!isNew || entry.tool !== 'searchConnections' || !Array.isArray(entry.output)) return []
    return entry.output as unknown as Connection[]
  })
  return [...new Map(found.map((connection) => [connection.id, connection])).values()]
}
