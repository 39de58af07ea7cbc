import type { AnyEvent } from '../event.ts'
import type { GraphShape } from './graphShape.ts'
import { keys, type Place } from './place.ts'

/**
 * Returns the visits of each node for the user's latest request, by name. Their sum is the `visits` of `position`.
 * Reads a log, because a state has only the current position.
 */
export function visitCounts(
  events: Iterable<AnyEvent>,
  { name, nodes }: Pick<GraphShape, 'nodes'> & { readonly name: string },
): ReadonlyMap<string, number> {
  const key = keys.graph(name)
  const counts = new Map<string, number>()
  let since: number | undefined
  for (const event of events) {
    if (event.type !== 'noted' || event.call !== undefined || !isOfWalk(event.key, key)) continue
    const place = event.value as unknown as Omit<Place, 'seq'>
    if (event.key === key && place.since !== since) {
      since = place.since
      for (const node of nodes) counts.set(node, 0)
    }
    if (!place.over && !place.forked) counts.set(place.node, (counts.get(place.node) ?? 0) + 1)
  }
  return counts
}

/** The graph's own walk and the branches of its forks, but not the graphs inside of its nodes. */
function isOfWalk(key: string, graph: string): boolean {
  if (key === graph) return true
  if (!key.startsWith(`${graph}/`)) return false
  const parts = key.slice(graph.length + 1).split('/')
  return parts.length % 3 === 0 && parts.every((part, index) => index % 3 !== 0 || part === 'fork')
}
