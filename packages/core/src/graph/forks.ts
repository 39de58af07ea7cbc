import { END, type Fault, type GraphShape, listed, reach, toVertices, type Vertex } from './edges.ts'

/** A node with several plain edges. Its branches run concurrently, up to the first node that all of them pass. */
export interface Fork {
  readonly from: Vertex
  readonly join: Vertex
  readonly branches: readonly {
    readonly target: Vertex
    /** Returns all nodes that may be visited in it; none if it leads to the join directly. */
    nodes(): ReadonlySet<Vertex>
  }[]
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
 * Returns for each vertex the nearest one that every way from it to the end passes: its immediate post-dominator
 * (Cooper, Harvey and Kennedy, "A simple, fast dominance algorithm", 2001).
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

/** Returns the vertices that lead to the end, each after one that it leads to: backward, in post-order. */
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

interface VisitedBranch {
  readonly name: string
  readonly nodes: ReadonlySet<Vertex>
}

/**
 * Returns the problems of a fork. Branches must share no node before they join, and only one of them may call the
 * model: a run has one conversation, and turns of two branches would mix in it.
 */
export function forkFaults(fork: Fork, thinking: ReadonlySet<string>): readonly Fault[] {
  const branches = fork.branches.map(({ target, nodes }) => ({ name: target.name, nodes: nodes() }))
  const returning = branches.filter(({ nodes }) => nodes.has(fork.from))
  if (returning.length > 0) return returning.map((branch) => returnFault(fork, branch))
  const talking = branches.filter(({ nodes }) => thinks(nodes, thinking))
  return [...overlapFaults(fork, branches), ...(talking.length > 1 ? [talkFault(fork, talking)] : [])]
}

/** Returns true if one of these calls a model. */
const thinks = (nodes: ReadonlySet<Vertex>, thinking: ReadonlySet<string>): boolean =>
  [...nodes].some(({ name }) => thinking.has(name))

function overlapFaults({ from, join }: Fork, branches: readonly VisitedBranch[]): Fault[] {
  const owners = new Map<Vertex, string>()
  return branches.flatMap(({ name, nodes }): Fault[] => {
    const shared = [...nodes].find((node) => owners.has(node))
    const both = shared ? [owners.get(shared) ?? '', name] : []
    for (const node of nodes) owners.set(node, name)
    if (!shared) return []
    const message = `the branches ${listed(both)} of the fork '${from.name}' meet in '${shared.name}' before all join in '${join.name}'`
    const hint = 'let all branches join in one node, or give those that meet earlier a fork of their own'
    return [{ type: 'fork', nodes: [from.name, ...both], message, hint }]
  })
}

function returnFault({ from }: Fork, { name }: VisitedBranch): Fault {
  const message = `the branch '${name}' of the fork '${from.name}' comes back to it before the branches join`
  const hint = 'let the branches join, and go back from there'
  return { type: 'fork', nodes: [from.name, name], message, hint }
}

function talkFault({ from }: Fork, talking: readonly VisitedBranch[]): Fault {
  const names = talking.map(({ name }) => name)
  const message = `the branches ${listed(names)} of the fork '${from.name}' all think, and a run has one conversation`
  const hint = 'put one behind the other, or give their agents runs of their own with inOwnRun()'
  return { type: 'fork', nodes: [from.name, ...names], message, hint }
}

/** The branches that start at a node. */
export interface Branching {
  readonly join: string
  readonly targets: readonly string[]
  /** The branch that may talk to the model. */
  readonly talker: string | undefined
}

/** Returns the forks of a valid graph, by the names of their nodes. */
export function toForks(shape: GraphShape): ReadonlyMap<string, Branching> {
  const thinking = new Set(shape.thinking)
  return new Map(
    findForks(toVertices(shape)).map(({ from, join, branches }) => {
      const talker = branches.find(({ nodes }) => thinking.size > 0 && thinks(nodes(), thinking))?.target.name
      return [from.name, { join: join.name, targets: branches.map(({ target }) => target.name), talker }]
    }),
  )
}
