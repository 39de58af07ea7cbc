import { END } from './graphShape.ts'
import { reach, type Vertex } from './vertex.ts'

/** A node with several plain edges. Its branches run concurrently, up to the first node that all of them pass. */
export interface Fork {
  readonly from: Vertex
  readonly join: Vertex
  readonly branches: readonly Branch[]
}
export interface Branch {
  readonly target: Vertex
  /** Looks for all that may be visited in it. Nothing where it leads to the join at once. */
  nodes(): ReadonlySet<Vertex>
}

/** Returns the forks of a graph. A fork without a path to the end has no join and is omitted. */
export function findForks(vertices: ReadonlyMap<string, Vertex>): readonly Fork[] {
  const end = vertices.get(END)
  const splitting = [...vertices.values()].filter(({ conditional, out }) => !conditional && new Set(out).size > 1)
  if (!end || splitting.length === 0) return []
  const joins = joinsBefore(end)
  return splitting.flatMap((from) => {
    const join = joins.get(from)
    if (!join) return []
    const branches = [...new Set(from.out)].map((target) => ({ target, nodes: () => nodesUntil(join, target) }))
    return [{ from, join, branches }]
  })
}

function nodesUntil(join: Vertex, target: Vertex): ReadonlySet<Vertex> {
  return target === join ? new Set() : reach([target], ({ out }) => out.filter((next) => next !== join))
}

/**
 * For each vertex the nearest one that every way from it to the end passes: its immediate post-dominator (Cooper, Harvey and
 * Kennedy, "A simple, fast dominance algorithm", 2001).
 */
function joinsBefore(end: Vertex): ReadonlyMap<Vertex, Vertex> {
  const order = fromTheEnd(end)
  const numbers = new Map(order.map((vertex, number) => [vertex, number]))
  const joins = new Map([[end, end]])
  const isFurther = (a: Vertex, b: Vertex): boolean => (numbers.get(a) ?? 0) > (numbers.get(b) ?? 0)
  const meet = (a: Vertex, b: Vertex): Vertex => {
    let [left, right] = [a, b]
    while (left !== right) {
      if (isFurther(left, right)) left = joins.get(left) ?? end
      else right = joins.get(right) ?? end
    }
    return left
  }
  for (let changed = true; changed; ) {
    changed = false
    for (const vertex of order.slice(1)) {
      const join = vertex.out.filter((next) => joins.has(next)).reduce(meet)
      if (joins.get(vertex) === join) continue
      joins.set(vertex, join)
      changed = true
    }
  }
  return joins
}

/**
 * Returns the vertices that lead to the end, each after one that it leads to: a backward depth-first walk in
 * post-order.
 */
function fromTheEnd(end: Vertex): readonly Vertex[] {
  const left: Vertex[] = []
  const met = new Set([end])
  const path = [{ vertex: end, seen: 0 }]
  for (let at = path.at(-1); at; at = path.at(-1)) {
    const next = at.vertex.in[at.seen++]
    if (!next) left.push((path.pop() as typeof at).vertex)
    else if (!met.has(next)) {
      met.add(next)
      path.push({ vertex: next, seen: 0 })
    }
  }
  return left.reverse()
}
