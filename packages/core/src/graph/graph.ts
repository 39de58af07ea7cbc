import { AgentError } from '../error.ts'
import { assertOption, type KnownOptions, refuseUnknown } from '../options.ts'
import type { Agent, Step } from '../run.ts'
import { agentsOf, confusionOf, handsTo, isAgent, renameOne } from '../step.ts'
import type { ToolSpec } from '../tool.ts'
import { describeFaults, type EdgesTo, type Fault, type GraphShape, toEdges } from './edges.ts'
import { findFaults } from './faults.ts'
import { toForks } from './forks.ts'
import { asThinking, isThinking, untilAnswer } from './nodes.ts'
import { walkGraph } from './walk.ts'

/** A step, or an agent, which is visited until it answers. */
export type GraphNode = Step | Agent

export interface GraphOptions<Name extends string> {
  /** The name in the log and in errors. Graphs of one agent need different names, unless one contains the other. */
  name: string
  nodes: Readonly<Record<Name, GraphNode>>
  /** The node that is visited first. */
  start: NoInfer<Name>
  /** The successors of each node: a node, several at once, `END`, or a `router`. */
  edges: Readonly<Record<NoInfer<Name>, EdgesTo<NoInfer<Name>>>>
  /** The visits per user request after which the run asks whether to continue; 1,000 by default. */
  visits?: number
  /** The maximum of concurrent branches; 8 by default. */
  parallel?: number
}

/** A graph as a step: a backend, a step among others, or a node of another graph. Its nodes and edges are plain data. */
export interface Graph<Name extends string = string> extends Step, GraphShape {
  readonly name: string
  readonly nodes: readonly Name[]
  readonly start: Name
  readonly thinking: readonly string[]
  /** True if its agent needs no model, because only agent nodes call one. */
  readonly ownModel: boolean
}

const graphOptions: KnownOptions<GraphOptions<string>> = {
  name: 'a string',
  nodes: true,
  start: 'a string',
  edges: true,
  visits: 'a number (0 or more)',
  parallel: 'a number (0 or more)',
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
  refuseUnknown('graph()', options, graphOptions)
  const { name, nodes, edges, start, visits = 1_000, parallel = 8 } = options
  assertOption(typeof name === 'string' && name, 'A graph needs a name.')
  assertOption(isRecord(nodes) && isRecord(edges), `The graph "${name}" needs nodes and edges by name.`)
  assertOption(
    Number.isInteger(visits) && visits >= 1,
    `The graph "${name}" has visits: ${visits}. Use a whole number from 1.`,
  )
  assertOption(parallel >= 1, `The graph "${name}" has parallel: ${parallel}. Use 1 or more.`)
  const steps = new Map<string, Step>()
  for (const [node, of] of Object.entries<GraphNode>(nodes)) steps.set(node, isAgent(of) ? untilAnswer(of) : of)
  const shape = toShape(steps, edges, start)
  const handed = agentsOf(steps.values())
  refuse(name, [...stepFaults(steps), ...agentFaults(handed), ...findFaults(shape)])

  const step = walkGraph({
    name,
    start,
    steps,
    edges: new Map(Object.entries(edges)),
    forks: toForks(shape),
    visits,
    parallel,
  })
  const tools: Step['tools'] = (agent) => uniqueByName([...steps.values()].flatMap((each) => each.tools?.(agent) ?? []))
  const mayCall = [...steps.values()].some((each) => each.mayCall)
  const ownModel = [...steps.values()].every((each) => each.ownModel || !isThinking(each))
  if (shape.thinking.length > 0) asThinking(step)
  handsTo(step, handed)
  Object.defineProperty(step, 'name', { value: name, enumerable: true })
  return Object.freeze(Object.assign(step, shape, { tools, mayCall, ownModel })) as Step &
    Required<GraphShape> as Graph<Name>
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
    thinking: Object.freeze([...steps].flatMap(([node, step]) => (isThinking(step) ? [node] : []))),
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
  throw new AgentError('graph_invalid', `The graph "${name}" cannot work:\n${describeFaults(faults)}`)
}

/** Removes duplicates: steps of several nodes may bring the same tool. */
const uniqueByName = (tools: readonly ToolSpec[]): readonly ToolSpec[] => [
  ...new Map(tools.map((tool) => [tool.name, tool])).values(),
]
