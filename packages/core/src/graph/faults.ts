import {
  checkShape,
  END,
  type Fault,
  type FaultType,
  type GraphShape,
  listed,
  namesOf,
  toVertices,
  type Vertex,
} from './edges.ts'

type Vertices = ReadonlyMap<string, Vertex>

/**
 * Returns all problems of a graph, in time linear in nodes and edges. A cycle or a self-loop without a
 * router is rejected. Consequences of a problem, such as a node that only leads to a dead end, are not reported.
 */
export function findFaults(shape: GraphShape): readonly Fault[] {
  checkShape('findFaults()', shape, 'nodes', 'edges')
  const vertices = toVertices(shape)
  const loops = findLoops(vertices).map((loop) => ({ ...loop, faults: loopFaults(loop) }))
  const endless = new Set(loops.flatMap(({ nodes, faults }) => (faults.length > 0 ? nodes : [])))
  return [
    ...nameFaults(shape),
    ...startFaults(shape, vertices),
    ...edgeFaults(shape, vertices),
    ...loops.flatMap(({ faults }) => faults),
    ...unreachableFaults(shape, vertices),
    ...deadEndFaults(vertices),
    ...forkFaults(vertices, endless),
  ]
}

function nameFaults({ nodes }: GraphShape): Fault[] {
  const seen = new Set<string>()
  return nodes.flatMap((name): Fault[] => {
    const fault = (message: string, hint: string): Fault[] => [{ type: 'name', nodes: [name], message, hint }]
    if (name.trim() === '') return fault('a node has no name', 'name it after what it does')
    if (name === END) return fault(`the name '${END}' is reserved for the end`, 'give the node another name')
    if (seen.has(name)) return fault(`two nodes are named '${name}'`, 'give one of them another name')
    seen.add(name)
    return []
  })
}

function startFaults({ start, nodes }: GraphShape, vertices: Vertices): Fault[] {
  if (start !== undefined && start !== END && vertices.has(start)) return []
  const message = start === undefined ? 'no start is given' : `the start '${start}' is no node`
  const hint = nodes.length > 0 ? `start with one of ${listed(nodes)}` : 'add a node'
  return [{ type: 'start', nodes: [], message, hint }]
}

function edgeFaults({ edges, nodes }: GraphShape, vertices: Vertices): Fault[] {
  const known = `use END or one of ${listed(nodes)}`
  const seen = new Map<string, Set<string>>()
  return edges.flatMap(({ from, to }): Fault[] => {
    const fault = (message: string, hint: string): Fault[] => [{ type: 'edge', nodes: [from, to], message, hint }]
    if (from === END) return fault(`an edge leads from the end to '${to}'`, 'let it begin at a node')
    if (!vertices.has(from)) return fault(`an edge begins at '${from}', which is no node`, 'add the node')
    if (!vertices.has(to)) return fault(`an edge leads from '${from}' to '${to}', which is no node`, known)
    const targets = seen.get(from) ?? new Set()
    if (targets.has(to)) return fault(`two edges lead from '${from}' to '${to}'`, 'remove one of them')
    seen.set(from, targets.add(to))
    return []
  })
}

function unreachableFaults({ start }: GraphShape, vertices: Vertices): Fault[] {
  const first = start === undefined ? undefined : vertices.get(start)
  if (!first) return []
  const met = new Set([first])
  // A set that grows during its iteration is its own queue.
  for (const vertex of met) for (const next of vertex.out) met.add(next)
  const lost = namesOf([...vertices.values()].filter((vertex) => vertex.name !== END && !met.has(vertex)))
  if (lost.length === 0) return []
  const message = `no way leads from the start '${start}' to ${listed(lost)}`
  return [{ type: 'unreachable', nodes: lost, message, hint: 'lead an edge there, or remove what is not needed' }]
}

function deadEndFaults(vertices: Vertices): Fault[] {
  const stuck = [...vertices.values()].filter(({ name, out, strays }) => name !== END && out.length === 0 && !strays)
  if (stuck.length === 0) return []
  const message = `no edge leads on from ${listed(namesOf(stuck))}`
  const hint = 'add an edge to another node, or to END where the graph is over'
  return [{ type: 'dead-end', nodes: namesOf(stuck), message, hint }]
}

/** Returns the nodes that plain edges leave for several others: a run is at one node. Endless ones have a fault already. */
function forkFaults(vertices: Vertices, endless: ReadonlySet<Vertex>): Fault[] {
  return [...vertices.values()].flatMap((vertex): Fault[] => {
    const targets = namesOf([...new Set(vertex.out)])
    if (vertex.conditional || targets.length < 2 || endless.has(vertex)) return []
    const message = `plain edges lead from '${vertex.name}' to ${listed(targets)}, and a run is at one node`
    const hint = 'let a router() choose one of them, or lead to one node that runs them side by side: parallel({ … })'
    return [{ type: 'fork', nodes: [vertex.name, ...targets], message, hint }]
  })
}

/** Returns the faults of a loop. It needs a router on one of its nodes, and with it a way out. */
function loopFaults({ nodes, path, guarded, closed }: Loop): readonly Fault[] {
  if (guarded && !closed) return []
  const names = namesOf(nodes)
  const fault = (type: FaultType, message: string, hint: string): Fault[] => [{ type, nodes: names, message, hint }]
  const way = listed(namesOf(path))
  if (guarded) {
    const hint = 'add END or a node outside of the cycle to the targets of a router'
    return fault('no-exit', `cycle detected whose conditions never exit: ${way}`, hint)
  }
  if (names.length > 1) {
    const hint = 'let a router() follow one of these nodes, with END or a node outside of the cycle among its targets'
    return fault('cycle', `cycle detected with no exit condition: ${way}`, hint)
  }
  const message = `self-loop detected on node '${names[0]}' with no exit condition`
  return fault('self-loop', message, 'use a router() instead of a plain edge for loops')
}

/** Nodes that lead back to each other, or one that leads back to itself. */
interface Loop {
  readonly nodes: readonly Vertex[]
  /** A way around: its first node is its last. */
  readonly path: readonly Vertex[]
  /** True if it contains a router. */
  readonly guarded: boolean
  /** True if no edge leads out of it. */
  readonly closed: boolean
}

/** Returns the components of more than one node, and the nodes with an edge to themselves: one node may be both. */
function findLoops(vertices: ReadonlyMap<string, Vertex>): readonly Loop[] {
  const all = [...vertices.values()]
  const positions = new Map(all.map((vertex, position) => [vertex, position]))
  const inOrder = (a: Vertex, b: Vertex): number => (positions.get(a) ?? 0) - (positions.get(b) ?? 0)
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

/** Returns the shortest way from a node back to itself, breadth first. */
function wayAround(start: Vertex, inside: ReadonlySet<Vertex>): readonly Vertex[] {
  const cameFrom = new Map<Vertex, Vertex>()
  const queue = new Set([start])
  for (const vertex of queue) {
    for (const next of vertex.out) {
      if (next === start) {
        const way = [start]
        for (let at: Vertex | undefined = vertex; at; at = cameFrom.get(at)) way.push(at)
        return way.reverse()
      }
      if (!inside.has(next) || queue.has(next)) continue
      cameFrom.set(next, vertex)
      queue.add(next)
    }
  }
  return [start]
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
 * Returns the strongly connected components of a graph, in linear time (Tarjan, "Depth-first search and linear graph
 * algorithms", 1972). The path is a list and not the call stack, so a graph may have any depth.
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
  /** Examines the next edge of the path's end, or goes back. */
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
  // A vertex on the path has a mark.
  const markOf = (vertex: Vertex): Mark => marks.get(vertex) as Mark

  for (const vertex of vertices) {
    if (!marks.has(vertex)) enter(vertex)
    for (let at = path.at(-1); at; at = path.at(-1)) advance(at)
  }
  return found
}
