import type { Event } from '@interleave/core'
import { type Graph, type Position, position } from '@interleave/core/graph'
import { fold, reduce } from '@interleave/core/observe'

/** The edges that a run has taken since the user's latest message, each as `from to`. */
export function takenEdges(events: readonly Event[], graph: Graph): ReadonlySet<string> {
  const taken = new Set<string>()
  let state = fold([])
  let before: Position | undefined
  for (const event of events) {
    state = reduce(state, event)
    if (event.type === 'said' && event.by === 'user') taken.clear()
    if (event.type !== 'noted') continue
    const now = position(state, graph)
    const moved = before && now && (before.node !== now.node || before.visits < now.visits)
    const edge = moved && graph.edges.find(({ from, to }) => from === before?.node && to === now.node)
    if (edge) taken.add(edgeKey(edge))
    before = now
  }
  return taken
}

export const edgeKey = ({ from, to }: { readonly from: string; readonly to: string }): string => `${from} ${to}`
