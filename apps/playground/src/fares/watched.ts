import type { RunState } from '@interleave/core'
import { value } from '@interleave/core/graph'
import { scratchpad } from '@interleave/core/observe'
import { type Connection, readConnections } from '../data/connections.ts'

/** A fare as it was at one look. */
export type Fare = Pick<Connection, 'id' | 'means' | 'from' | 'to' | 'departs' | 'arrives' | 'price'>

/** The values that the nodes of a fare watch share. */
export const watched = {
  /** The turn whose search is watched. A new search starts the count again. */
  search: value('search', 0),
  /** The number of looks. */
  looks: value('looks', 0),
  /** The cheapest of each means at the latest look. */
  train: value<Fare | null>('cheapest train', null),
  flight: value<Fare | null>('cheapest flight', null),
  /** The look and the price to compare later ones with: of the first look, then of the latest question. */
  since: value<{ look: number; price: number } | null>('since', null),
  /** True if it is time to ask. */
  enough: value('enough', false),
  wish: value<'book' | 'watch' | 'leave'>('wish', 'watch'),
}

interface Search {
  /** The turn that searched last, of those since the user's latest message. */
  readonly turn: number
  /** The connections found since that message, each once. */
  readonly connections: readonly Connection[]
}

/** Returns the results for the user's last message. A message that no turn has received does not count yet. */
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
