import type { Vertex } from './vertex.ts'

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
export function components(vertices: Iterable<Vertex>): readonly (readonly Vertex[])[] {
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
