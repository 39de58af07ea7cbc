import type { Edge } from '@interleave/core/graph'
import { type Order, obstacles, type Pair, pairsOf, sideOf } from './rows.ts'

interface Lines {
  readonly ways: readonly (readonly string[])[]
  readonly back: readonly Edge[]
}

/**
 * Sorts each row by the positions of its neighbors, from several initial orders. Returns the order with the fewest
 * crossings.
 */
export function uncross(rows: Order, { ways, back }: Lines): Order {
  const pairs = pairsOf(ways)
  const cost = (order: Order): number =>
    2 * crossingsIn(order, pairs) + back.reduce((sum, edge) => sum + obstacles(order, edge, sideOf(order, edge)), 0)
  const orders = initialOrders(rows).flatMap((order) => [order, ...sweep(order, pairs)])
  const costs = orders.map(cost)
  return orders[costs.indexOf(Math.min(...costs))] ?? rows
}

/** Long edges at the left, in between, or at the right, and nodes in the given order or the reverse. */
function initialOrders(rows: Order): Order[] {
  const split = rows.map((row) => ({ ways: row.filter(({ node }) => !node), nodes: row.filter(({ node }) => node) }))
  return [
    rows,
    split.map(({ ways, nodes }) => [...ways, ...nodes]),
    split.map(({ ways, nodes }) => [...ways, ...nodes.toReversed()]),
    split.map(({ ways, nodes }) => [...nodes, ...ways]),
    split.map(({ ways, nodes }) => [...nodes.toReversed(), ...ways]),
  ]
}

/** Returns the number of crossings. */
export function crossingsIn(rows: Order, pairs: readonly Pair[]): number {
  const placeOf = new Map(rows.flatMap((row, rank) => row.map(({ id }, index) => [id, { rank, index }] as const)))
  const lines = pairs.flatMap(([from, to]) => {
    const [upper, lower] = [placeOf.get(from), placeOf.get(to)]
    return upper && lower ? [{ rank: upper.rank, from: upper.index, to: lower.index }] : []
  })
  const cross = (a: (typeof lines)[number], b: (typeof lines)[number]): boolean =>
    a.rank === b.rank && (a.from - b.from) * (a.to - b.to) < 0
  return lines.flatMap((a, index) => lines.slice(index + 1).filter((b) => cross(a, b))).length
}

/** Returns the intermediate orders. */
function sweep(rows: Order, pairs: readonly Pair[]): Order[] {
  const above = (id: string): string[] => pairs.flatMap(([from, to]) => (to === id ? [from] : []))
  const below = (id: string): string[] => pairs.flatMap(([from, to]) => (from === id ? [to] : []))
  const orders: Order[] = []
  let order = rows
  for (let round = 0; round < 4; round++) {
    order = sortEach(order, above)
    orders.push(order)
    order = sortEach(order.toReversed(), below).toReversed()
    orders.push(order)
  }
  return orders
}

function sortEach(rows: Order, neighborsOf: (id: string) => readonly string[]): Order {
  const placeOf = new Map<string, number>()
  return rows.map((row) => {
    const keyed = row.map((slot, index) => {
      const places = neighborsOf(slot.id).flatMap((other) => placeOf.get(other) ?? [])
      return { slot, key: places.length === 0 ? index : places.reduce((sum, place) => sum + place) / places.length }
    })
    const sorted = keyed.toSorted((a, b) => a.key - b.key).map(({ slot }) => slot)
    for (const [index, { id }] of sorted.entries()) placeOf.set(id, index)
    return sorted
  })
}
