import type { Vertex } from './edges.ts'

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

interface Mark {
  readonly index: number
  /** The oldest vertex that can be reached from here and is still open. */
  low: number
  open: boolean
  /** The number of edges that were examined. */
  seen: number
}

/**
 * The strongly connected components of a graph, in linear time (Tarjan, "Depth-first search and linear graph algorithms",
 * 1972). The path is a list and not the call stack, so a graph may be as deep as it likes.
 */
function components(vertices: Iterable<Vertex>): readonly (readonly Vertex[])[] {
  const found: Vertex[][] = []
  const marks = new Map<Vertex, Mark>()
  const open: Vertex[] = []
  const path: Vertex[] = []

  const enter = (vertex: Vertex): void => {
    marks.set(vertex, { index: marks.size, low: marks.size, open: true, seen: 0 })
    open.push(vertex)
    path.push(vertex)
  }
  const close = (root: Vertex): void => {
    const component: Vertex[] = []
    for (let vertex = open.pop(); vertex; vertex = vertex === root ? undefined : open.pop()) {
      markOf(vertex).open = false
      component.push(vertex)
    }
    found.push(component)
  }
  /** Looks at the next edge of where the path has come to, or goes back. */
  const advance = (vertex: Vertex): void => {
    const mark = markOf(vertex)
    const next = vertex.out[mark.seen++]
    if (next) {
      const known = marks.get(next)
      if (!known) enter(next)
      else if (known.open) mark.low = Math.min(mark.low, known.index)
      return
    }
    path.pop()
    if (mark.low === mark.index) close(vertex)
    const before = path.at(-1)
    if (before) markOf(before).low = Math.min(markOf(before).low, mark.low)
  }
  // Whoever is on the path has a mark.
  const markOf = (vertex: Vertex): Mark => marks.get(vertex) as Mark

  for (const vertex of vertices) {
    if (!marks.has(vertex)) enter(vertex)
    for (let at = path.at(-1); at; at = path.at(-1)) advance(at)
  }
  return found
}
