import type { Edge } from '@interleave/core/graph'
import type { Drawn } from './Drawn.ts'
import { type Ranks, rankNodes } from './rankNodes.ts'
import type { Order, Slot } from './Slot.ts'
import { uncross } from './uncross.ts'

/** The nodes row by row. Edges down are told by the slots that they go along, one for each row. */
export interface Rows extends Ranks {
  readonly rows: Order
  readonly ways: ReadonlyMap<Edge, readonly string[]>
}

/** Puts nodes into rows, and neighbours near each other, so that few edges cross. */
export function orderRows(drawn: Drawn): Rows {
  const ranks = rankNodes(drawn)
  const rows: Slot[][] = []
  const put = (rank: number, slot: Slot): void => {
    rows[rank] ??= []
    rows[rank].push(slot)
  }
  for (const [node, rank] of ranks.rankOf) put(rank, { id: node, node })
  const ways = new Map<Edge, readonly string[]>()
  for (const [index, edge] of drawn.edges.entries()) {
    if (ranks.back.has(edge)) continue
    const [from, to] = [ranks.rankOf.get(edge.from) ?? 0, ranks.rankOf.get(edge.to) ?? 0]
    const between = Array.from({ length: to - from - 1 }, (_, step) => ({ id: `way ${index} ${step}` }))
    for (const [step, slot] of between.entries()) put(from + 1 + step, slot)
    ways.set(edge, [edge.from, ...between.map(({ id }) => id), edge.to])
  }
  // A row in which nothing stands would be a hole in the list.
  const filled = Array.from(rows, (row) => row ?? [])
  return { ...ranks, ways, rows: uncross(filled, { ways: [...ways.values()], back: [...ranks.back] }) }
}
