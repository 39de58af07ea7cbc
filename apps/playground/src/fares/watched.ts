import { value } from '@interleave/core/graph'
import type { Connection } from '../data/connections.ts'

/** A fare as it was at one look. */
export type Fare = Pick<Connection, 'id' | 'means' | 'from' | 'to' | 'departs' | 'arrives' | 'price'>

/** The values that the nodes of a fare watch share. */
export const watched = {
  /** The turn whose search is watched. A new search begins anew. */
  search: value('search', 0),
  /** The number of looks. */
  looks: value('looks', 0),
  /** The cheapest of each means at the latest look. */
  train: value<Fare | null>('cheapest train', null),
  flight: value<Fare | null>('cheapest flight', null),
  /** The look and the price to hold the next ones against: those of the first look, then those of the latest question. */
  since: value<{ look: number; price: number } | null>('since', null),
  /** True if it is time to ask. */
  enough: value('enough', false),
  wish: value<'book' | 'watch' | 'leave'>('wish', 'watch'),
}
