import { END, type Fault, type GraphShape, listed, namesOf, reach, toVertices, type Vertex } from './edges.ts'
import { type Fork, findForks, forkFaults } from './forks.ts'
import { findLoops, type Loop } from './loops.ts'

type Vertices = ReadonlyMap<string, Vertex>

/**
 * Returns all problems of a graph, in time linear in nodes, edges and nested forks. A cycle or a self-loop without a
 * router is rejected. Consequences of a problem, such as a node that only leads to a dead end, are not reported.
 */
export function findFaults(shape: GraphShape): readonly Fault[] {
  const vertices = toVertices(shape)
  const loops = findLoops(vertices).map((loop) => ({ ...loop, faults: loopFaults(loop) }))
  const endless = new Set(loops.flatMap(({ nodes, faults }) => (faults.length > 0 ? nodes : [])))
  const looping = new Set(loops.flatMap(({ nodes }) => nodes))
  const forks = findForks(vertices).filter((fork) => !endless.has(fork.from) && canFail(fork, looping))
  const thinking = new Set(shape.thinking)
  return [
    ...nameFaults(shape),
    ...startFaults(shape, vertices),
    ...edgeFaults(shape, vertices),
    ...loops.flatMap(({ faults }) => faults),
    ...unreachableFaults(shape, vertices),
    ...deadEndFaults(vertices),
    ...forks.flatMap((fork) => forkFaults(fork, thinking)),
  ]
}

/**
 * Returns false for a fork with one branch besides those that join at once: it conflicts with no other branch, and
 * cannot return without a cycle.
 */
const canFail = ({ from, join, branches }: Fork, looping: ReadonlySet<Vertex>): boolean =>
  looping.has(from) || branches.filter(({ target }) => target !== join).length > 1

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
  const met = reach([first], ({ out }) => out)
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

/** A loop needs a router on one of its nodes, and with it a way out. */
function loopFaults({ nodes, path, guarded, closed }: Loop): readonly Fault[] {
  if (guarded && !closed) return []
  const names = namesOf(nodes)
  if (guarded) return [{ type: 'no-exit', nodes: names, ...noExit(namesOf(path)) }]
  if (names.length > 1) return [{ type: 'cycle', nodes: names, ...noCondition(namesOf(path)) }]
  return [{ type: 'self-loop', nodes: names, ...noConditionOn(names[0] ?? '') }]
}

type Text = Pick<Fault, 'message' | 'hint'>

const noCondition = (path: readonly string[]): Text => ({
  message: `cycle detected with no exit condition: ${listed(path)}`,
  hint: 'let a router() follow one of these nodes, with END or a node outside of the cycle among its targets',
})
const noConditionOn = (name: string): Text => ({
  message: `self-loop detected on node '${name}' with no exit condition`,
  hint: 'use a router() instead of a plain edge for loops',
})
const noExit = (path: readonly string[]): Text => ({
  message: `cycle detected whose conditions never exit: ${listed(path)}`,
  hint: 'add END or a node outside of the cycle to the targets of a router',
})
