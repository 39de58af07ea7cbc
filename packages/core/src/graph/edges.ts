import { demand } from '../demand.ts'
import type { RunContext } from '../run.ts'
import type { Edge, END } from './graphShape.ts'

/** The successors of a node: one node, several concurrent ones, `END`, or a router that chooses. */
export type EdgesTo<Name extends string> = Target<Name> | readonly Target<Name>[] | Router<Target<Name>>
type Target<Name extends string> = Name | typeof END

/** Conditional edges: the targets, and the function that chooses among them. */
export interface Router<To extends string = string> {
  readonly targets: readonly To[]
  choose(run: RunContext): To | PromiseLike<To>
}

/**
 * Conditional edges. When the node has been visited, `choose` looks at the run and names one of the targets. It belongs to the
 * visit: after a crash it may be asked again, so it should only look.
 */
export function router<const To extends string>(
  targets: readonly To[],
  choose: (run: RunContext) => NoInfer<To> | PromiseLike<NoInfer<To>>,
): Router<To> {
  demand(Array.isArray(targets) && targets.length > 0, 'A router needs targets: router(["again", END], (run) => …).')
  demand(typeof choose === 'function', 'A router needs a function that chooses: router(["again", END], (run) => …).')
  return Object.freeze({ targets: Object.freeze([...targets]), choose })
}

export const isRouter = (edges: unknown): edges is Router =>
  typeof edges === 'object' && edges !== null && 'choose' in edges

/** The edges of one node, as plain data. */
export function toEdges(from: string, edges: EdgesTo<string> | undefined): readonly Edge[] {
  if (edges === undefined) return []
  const targets: readonly string[] = isRouter(edges) ? edges.targets : [edges].flat()
  return targets.map((to) => ({ from, to: String(to), conditional: isRouter(edges) }))
}
