import { components } from './components.ts'
import type { Vertex } from './vertex.ts'

/** Nodes that lead back to each other, or one that leads back to itself. */
export interface Loop {
  readonly nodes: readonly Vertex[]
  /** A way around: its first node is its last. */
  readonly path: readonly Vertex[]
  /** It contains a router. */
  readonly guarded: boolean
  /** No edge leads out of it. */
  readonly closed: boolean
}

/** The components of more than one node, and the nodes with an edge to themselves: one node may be both. */
export function findLoops(vertices: ReadonlyMap<string, Vertex>): readonly Loop[] {
  const all = [...vertices.values()]
  const places = new Map(all.map((vertex, place) => [vertex, place]))
  const inOrder = (a: Vertex, b: Vertex): number => (places.get(a) ?? 0) - (places.get(b) ?? 0)
  const cycles = components(all)
    .filter((nodes) => nodes.length > 1)
    .map((nodes) => toLoop([...nodes].sort(inOrder)))
  const selfLoops = all.filter((vertex) => vertex.out.includes(vertex)).map((vertex) => toLoop([vertex]))
  return [...cycles, ...selfLoops].sort((a, b) => inOrder(a.nodes[0] as Vertex, b.nodes[0] as Vertex))
}

function toLoop(nodes: readonly Vertex[]): Loop {
  const inside = new Set(nodes)
  return {
    nodes,
    path: wayAround(nodes[0] as Vertex, inside),
    guarded: nodes.some(({ conditional }) => conditional),
    closed: nodes.every(({ out, strays }) => !strays && out.every((next) => inside.has(next))),
  }
}

/** The shortest way from a node back to itself, breadth first. */
function wayAround(start: Vertex, inside: ReadonlySet<Vertex>): readonly Vertex[] {
  const cameFrom = new Map<Vertex, Vertex>()
  const queue = new Set([start])
  for (const vertex of queue) {
    for (const next of vertex.out) {
      if (next === start) return [...wayTo(vertex, cameFrom), start]
      if (!inside.has(next) || queue.has(next)) continue
      cameFrom.set(next, vertex)
      queue.add(next)
    }
  }
  return [start]
}

function wayTo(end: Vertex, cameFrom: ReadonlyMap<Vertex, Vertex>): readonly Vertex[] {
  const way: Vertex[] = []
  for (let vertex: Vertex | undefined = end; vertex; vertex = cameFrom.get(vertex)) way.push(vertex)
  return way.reverse()
}
