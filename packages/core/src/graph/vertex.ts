import { END, type GraphShape } from './graphShape.ts'

/** A node together with its neighbours, for walks over a graph. `END` is one too. Objects, so that any name is safe. */
export interface Vertex {
  readonly name: string
  readonly out: Vertex[]
  readonly in: Vertex[]
  /** A router chooses among its edges. */
  conditional: boolean
  /** An edge of it leads to what is no node. */
  strays: boolean
}

/** Returns all nodes in declaration order, each once, and `END` last. Omits edges without a node at one end. */
export function toVertices({ nodes, edges }: GraphShape): ReadonlyMap<string, Vertex> {
  const vertices = new Map<string, Vertex>()
  for (const name of [...nodes, END]) vertices.set(name, { name, out: [], in: [], conditional: false, strays: false })
  for (const { from, to, conditional } of edges) {
    const [source, target] = [vertices.get(from), vertices.get(to)]
    if (source && conditional) source.conditional = true
    if (source && !target) source.strays = true
    if (!source || !target) continue
    source.out.push(target)
    target.in.push(source)
  }
  return vertices
}

/** Everything that is met on the way from these, themselves included. */
export function reach(from: Iterable<Vertex>, next: (vertex: Vertex) => readonly Vertex[]): ReadonlySet<Vertex> {
  const met = new Set(from)
  // A set that grows while it is gone through is its own queue.
  for (const vertex of met) for (const other of next(vertex)) met.add(other)
  return met
}
