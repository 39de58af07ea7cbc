import type { Event } from '@interleave/core'
import { type Graph, position } from '@interleave/core/graph'
import { fold, reduce } from '@interleave/core/observe'

/** The edges that a run has taken since the user's latest message, each as `from to`. */
export function takenEdges(events: readonly Event[], graph: Graph): ReadonlySet<string> {
  const taken = new Set<string>()
  let state = fold([])
  /** The nodes that were left, and whose edge is not known yet: a branch waits for the others. */
  let left: readonly string[] = []
  let nodes: readonly string[] = []
  for (const event of events) {
    state = reduce(state, event)
    if (event.type === 'said' && event.by === 'user') taken.clear()
    if (event.type !== 'noted') continue
    const now = position(state, graph)?.nodes ?? []
    const from = [...left, ...nodes.filter((node) => !now.includes(node))]
    const used = graph.edges.filter(
      (edge) => from.includes(edge.from) && now.includes(edge.to) && !nodes.includes(edge.to),
    )
    for (const edge of used) taken.add(edgeKey(edge))
    left = from.filter((node) => !used.some((edge) => edge.from === node))
    nodes = now
  }
  return taken
}

export const edgeKey = ({ from, to }: { readonly from: string; readonly to: string }): string => `${from} ${to}`
