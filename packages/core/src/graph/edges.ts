import { DEV } from '#checks'
import { assertOption } from '../options.ts'
import type { RunContext } from '../run.ts'

/** The successor of a node: a node, `END`, or a router that chooses. */
export type EdgesTo<Name extends string> = Target<Name> | Router<Target<Name>>
type Target<Name extends string> = Name | typeof END

/** Conditional edges: the targets, and the function that chooses among them. */
export interface Router<To extends string = string> {
  readonly targets: readonly To[]
  choose(run: RunContext): To | PromiseLike<To>
}

/**
 * Creates conditional edges. After a visit of the node, `choose` reads the run and returns one of the targets. It
 * belongs to the visit and may run again after a crash, so it should have no side effects. It has no time limit, like a
 * step, so give one to what it waits for.
 */
export function router<const To extends string>(
  targets: readonly To[],
  choose: (run: RunContext) => NoInfer<To> | PromiseLike<NoInfer<To>>,
): Router<To> {
  const example = 'router(["again", END], (run) => …)'
  assertOption(Array.isArray(targets) && targets.length > 0, DEV && `A router needs targets: ${example}.`)
  assertOption(typeof choose === 'function', DEV && `A router needs a function that chooses: ${example}.`)
  return Object.freeze({ targets: Object.freeze([...targets]), choose })
}

export const isRouter = (edges: unknown): edges is Router =>
  typeof edges === 'object' && edges !== null && 'choose' in edges

/** Converts the edges of one node to plain data. */
export function toEdges(from: string, edges: EdgesTo<string> | undefined): readonly Edge[] {
  if (edges === undefined) return []
  // A program without types may give a list, which `findFaults` refuses.
  const targets: readonly string[] = isRouter(edges) ? edges.targets : [edges].flat()
  return targets.map((to) => ({ from, to: String(to), conditional: isRouter(edges) }))
}

/** The end of a graph. An edge may lead here as to a node. */
export const END: '__end__' = '__end__'

/** An edge from a node to another one, or to `END`. A conditional one is a target that a router may choose. */
export interface Edge {
  readonly from: string
  readonly to: string
  readonly conditional: boolean
}

/** A graph as plain data: enough to validate, draw and store it. */
export interface GraphShape {
  readonly nodes: readonly string[]
  readonly edges: readonly Edge[]
  /** The node that is visited first. */
  readonly start?: string
  /** The nodes that run branches side by side. */
  readonly parallel?: readonly ParallelNode[]
}

/** A node of a graph that `parallel()` made, and the names of its branches. */
export interface ParallelNode {
  readonly node: string
  readonly branches: readonly string[]
}

const isName = (name: unknown): boolean => typeof name === 'string'
const isListOf =
  (fits: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(fits)
const areNames = isListOf(isName)
const areParallel = isListOf((value) => isName(Object(value).node) && areNames(Object(value).branches))
const members: Readonly<Record<'name' | 'nodes' | 'edges' | 'parallel', (value: unknown) => boolean>> = {
  name: isName,
  nodes: areNames,
  edges: isListOf((edge) => isName(Object(edge).from) && isName(Object(edge).to)),
  parallel: (nodes) => nodes === undefined || areParallel(nodes),
}

/** Throws unless a graph has these members. It may be plain data, which anyone may have written. */
export function checkShape(owner: string, shape: object, ...needed: readonly (keyof typeof members)[]): void {
  const wrong = needed.find((member) => !members[member](Object(shape)[member]))
  const advice = "Give it a graph, or data such as { nodes: ['a'], edges: [{ from: 'a', to: END }] }."
  assertOption(wrong === undefined, DEV && `The graph of ${owner} has a wrong or missing \`${wrong}\`. ${advice}`)
}

/** A node together with its neighbors, for walks over a graph. `END` is one too. Objects, so that any name is safe. */
export interface Vertex {
  readonly name: string
  readonly out: Vertex[]
  /** True if a router chooses among its edges. */
  conditional: boolean
  /** True if one of its edges leads to a name that is not a node. */
  strays: boolean
}

/** Returns all nodes in declaration order, each once, and `END` last. Omits edges without a node at one end. */
export function toVertices({ nodes, edges }: GraphShape): ReadonlyMap<string, Vertex> {
  const vertices = new Map<string, Vertex>()
  for (const name of [...nodes, END]) vertices.set(name, { name, out: [], conditional: false, strays: false })
  for (const { from, to, conditional } of edges) {
    const [source, target] = [vertices.get(from), vertices.get(to)]
    if (source && conditional) source.conditional = true
    if (source && !target) source.strays = true
    if (source && target) source.out.push(target)
  }
  return vertices
}

/** A problem of a graph. `nodes` are those concerned. */
export interface Fault {
  readonly type: FaultType
  readonly nodes: readonly string[]
  readonly message: string
  /** The way to fix it. */
  readonly hint: string
}
export type FaultType =
  | 'name'
  | 'start'
  | 'edge'
  | 'node'
  | 'cycle'
  | 'self-loop'
  | 'no-exit'
  | 'unreachable'
  | 'dead-end'
  | 'fork'

export const namesOf = (vertices: readonly Vertex[]): readonly string[] => vertices.map(({ name }) => name)

/** Formats names as a list that stays readable. */
export function listed(names: readonly string[]): string {
  if (names.length <= 12) return `[${names.join(', ')}]`
  return `[${names.slice(0, 10).join(', ')}, … ${names.length - 11} more …, ${names.at(-1)}]`
}

/** Formats faults as the text of one error, each with its hint. */
export function describeFaults(faults: readonly Fault[]): string {
  const shown = faults.slice(0, 50).map(({ message, hint }) => `  ${message}\n  hint: ${hint}`)
  if (faults.length > shown.length) shown.push(`  and ${faults.length - shown.length} more`)
  return shown.join('\n')
}
