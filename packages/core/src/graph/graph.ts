import { checkOptions, DEV } from '#checks'
import { AgentError } from '../error.ts'
import { assertOption } from '../options.ts'
import type { Agent, Step } from '../run.ts'
import { agentsOf, confusionOf, renameOne } from '../step.ts'
import { describeFaults, type EdgesTo, type Fault, type GraphShape, type ParallelNode, toEdges } from './edges.ts'
import { findFaults } from './faults.ts'
import { type GraphNode, madeOf, toSteps } from './nodes.ts'
import { branchesOf } from './parallel.ts'
import { walkGraph } from './walk.ts'

export interface GraphOptions<Name extends string> {
  /** The name in the log and in errors. Graphs of one agent need different names, unless one contains the other. */
  name: string
  nodes: Readonly<Record<Name, GraphNode>>
  /** The node that is visited first. */
  start: NoInfer<Name>
  /** The successor of each node: a node, `END`, or a `router`. */
  edges: Readonly<Record<NoInfer<Name>, EdgesTo<NoInfer<Name>>>>
  /** The visits per user request after which the run asks whether to continue; 1,000 by default. */
  visits?: number
}

/** A graph as a step: a backend, a step among others, or a node of another graph. Its nodes and edges are plain data. */
export interface Graph<Name extends string = string> extends Step, GraphShape {
  readonly name: string
  readonly nodes: readonly Name[]
  readonly start: Name
  readonly parallel: readonly ParallelNode[]
  /** True if its agent needs no model, because only agent nodes call one. */
  readonly ownModel: boolean
}

/**
 * Creates a step that visits nodes along edges. Throws one `graph_invalid` that lists all problems. The graph is walked
 * once per user request. The last node's answer is the graph's answer; without one the graph is done, and the steps
 * after it continue.
 *
 * @example
 * const essay = graph({
 *   name: 'essay',
 *   nodes: { write: writer, review: critic },
 *   start: 'write',
 *   edges: { write: 'review', review: router(['write', END], (run) => (score.get(run) > 0.8 ? END : 'write')) },
 * })
 */
export function graph<Name extends string>(options: GraphOptions<Name>): Graph<Name> {
  checkOptions('graph()', options, ['name', 'nodes', 'start', 'edges', 'visits'])
  const { name, nodes, edges, start, visits = 1_000 } = options
  assertOption(typeof name === 'string' && name, DEV && 'A graph needs a name.')
  assertOption(isRecord(nodes) && isRecord(edges), DEV && `The graph "${name}" needs nodes and edges by name.`)
  assertOption(
    Number.isInteger(visits) && visits >= 1,
    DEV && `The graph "${name}" has visits: ${visits}. Use a whole number from 1.`,
  )
  const steps = toSteps(nodes)
  const shape = toShape(steps, edges, start)
  refuse(name, [...stepFaults(steps), ...agentFaults(agentsOf(steps.values())), ...findFaults(shape)])

  const step = madeOf(walkGraph({ name, start, steps, edges: new Map(Object.entries(edges)), visits }), [
    ...steps.values(),
  ])
  Object.defineProperty(step, 'name', { value: name, enumerable: true })
  return Object.freeze(Object.assign(step, shape)) as Step & Required<GraphShape> as Graph<Name>
}

const isRecord = (value: unknown): value is object => typeof value === 'object' && value !== null

function toShape(
  steps: ReadonlyMap<string, Step>,
  edges: Readonly<Record<string, EdgesTo<string>>>,
  start: string,
): Required<GraphShape> {
  const all = Object.entries<EdgesTo<string>>(edges).flatMap(([from, to]) => toEdges(from, to))
  return {
    nodes: Object.freeze([...steps.keys()]),
    edges: Object.freeze(all.map((edge) => Object.freeze(edge))),
    start,
    parallel: Object.freeze([...steps].flatMap(([node, step]) => branchesOf(node, step))),
  }
}

function stepFaults(steps: ReadonlyMap<string, unknown>): Fault[] {
  const hint = 'give a step such as think(), a function of a run, or an agent'
  return [...steps].flatMap(([node, step]): Fault[] =>
    typeof step === 'function' ? [] : [{ type: 'node', nodes: [node], message: `the node '${node}' is no step`, hint }],
  )
}

function agentFaults(agents: readonly Agent[]): Fault[] {
  const message = confusionOf(agents)
  return message === undefined ? [] : [{ type: 'node', nodes: [], message, hint: renameOne }]
}

function refuse(name: string, faults: readonly Fault[]): void {
  if (faults.length === 0) return
  throw new AgentError('graph_invalid', DEV && `The graph "${name}" cannot work:\n${describeFaults(faults)}`)
}
