import { type Edge, END } from '@interleave/core/graph'
import type { Drawn, Order, Slot } from './rows.ts'
import { uncross } from './uncross.ts'

/** The nodes row by row. Edges down are lists of the slots that they pass, one for each row. */
export interface Rows extends Ranks {
  readonly rows: Order
  readonly ways: ReadonlyMap<Edge, readonly string[]>
}

/** Puts nodes into rows, and neighbors near each other, so that few edges cross. */
export function orderRows(drawn: Drawn): Rows {
  const ranks = rankNodes(drawn)
  const rows: Slot[][] = []
  const put = (rank: number, slot: Slot): void => {
    rows[rank] ??= []
    rows[rank].push(slot)
  }
  const branches = new Map(drawn.parallel?.map((parallel) => [parallel.node, parallel]))
  for (const [node, rank] of ranks.rankOf) put(rank, { ...branches.get(node), id: node, node })
  const ways = new Map<Edge, readonly string[]>()
  for (const [index, edge] of drawn.edges.entries()) {
    if (ranks.back.has(edge)) continue
    const [from, to] = [ranks.rankOf.get(edge.from) ?? 0, ranks.rankOf.get(edge.to) ?? 0]
    const between = Array.from({ length: to - from - 1 }, (_, step) => ({ id: `way ${index} ${step}` }))
    for (const [step, slot] of between.entries()) put(from + 1 + step, slot)
    ways.set(edge, [edge.from, ...between.map(({ id }) => id), edge.to])
  }
  // An empty row would be a hole in the list.
  const filled = Array.from(rows, (row) => row ?? [])
  return { ...ranks, ways, rows: uncross(filled, { ways: [...ways.values()], back: [...ranks.back] }) }
}

/** The row of each node, and the edges that lead back up. */
interface Ranks {
  readonly rankOf: ReadonlyMap<string, number>
  readonly back: ReadonlySet<Edge>
}

/** A node is one row below the lowest of those that lead to it, without loops; the end is below all. */
export function rankNodes({ nodes, edges, start }: Drawn): Ranks {
  const { back, order } = findBackEdges({ nodes, edges, start })
  const rankOf = new Map(nodes.map((name) => [name, 0]))
  for (const name of order) {
    for (const edge of edges) {
      if (edge.from !== name || back.has(edge)) continue
      rankOf.set(edge.to, Math.max(rankOf.get(edge.to) ?? 0, (rankOf.get(name) ?? 0) + 1))
    }
  }
  const lowest = Math.max(...nodes.map((name) => rankOf.get(name) ?? 0))
  if (edges.some(({ to }) => to === END)) rankOf.set(END, lowest + 1)
  return { rankOf, back }
}

/**
 * Searches the graph depth first. An edge to a node that is still open leads back. Also returns an order without those.
 */
function findBackEdges({ nodes, edges, start }: Drawn): { back: Set<Edge>; order: string[] } {
  const back = new Set<Edge>()
  const order: string[] = []
  const open = new Set<string>()
  const seen = new Set<string>()
  const enter = (name: string): void => {
    open.add(name)
    seen.add(name)
    for (const edge of edges) {
      if (edge.from !== name) continue
      if (open.has(edge.to)) back.add(edge)
      else if (!seen.has(edge.to)) enter(edge.to)
    }
    open.delete(name)
    order.unshift(name)
  }
  for (const name of [start, ...nodes]) if (!seen.has(name)) enter(name)
  return { back, order }
}
