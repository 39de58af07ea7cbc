import type { RunState } from '@interleave/core'
import { scratchpad } from '@interleave/core/observe'
import { type Connection, readConnections } from '../data/connections.ts'

export interface Search {
  /** The turn that searched last, of those since the user's latest message. */
  readonly turn: number
  /** The connections found since that message, each once. */
  readonly connections: readonly Connection[]
}

/** Returns the results for the user's last message. A message that no turn has heard does not count yet. */
export function latestSearch(state: RunState): Search {
  const history = state.history.flat()
  const said = history.findLastIndex((entry) => entry.type === 'said' && entry.by === 'user')
  const first = history.slice(said).find((entry) => entry.type === 'turn')?.iteration ?? Number.POSITIVE_INFINITY
  const found = scratchpad(state).flatMap((entry) =>
    entry.type === 'observation' && entry.tool === 'searchConnections' && entry.iteration >= first ? [entry] : [],
  )
  const connections = found.flatMap(({ output }) => readConnections(output))
  return {
    turn: found.at(-1)?.iteration ?? 0,
    connections: [...new Map(connections.map((connection) => [connection.id, connection])).values()],
  }
}
