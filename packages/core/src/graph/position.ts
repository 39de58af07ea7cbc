import type { RunState } from '../state.ts'
import type { Edge, GraphShape } from './graphShape.ts'
import { keys, type Place, placeOf } from './place.ts'

/** The position of a run in a graph. */
export interface Position {
  /** The node that is visited, or several side by side; `END` where the graph is over. */
  readonly nodes: readonly string[]
  /** Visits so far, for the user's latest request. */
  readonly visits: number
}

/** Returns a run's position in its graph. Undefined until the graph has started the user's latest request. */
export function position(
  state: RunState,
  { name, edges }: Pick<GraphShape, 'edges'> & { readonly name: string },
): Position | undefined {
  const key = keys.graph(name)
  const place = placeOf(state, { key, of: state.request.seq })
  if (!place) return undefined
  const standing = place.forked
    ? inBranches({ state, edges }, key, place)
    : { nodes: [place.node], visits: place.visit }
  return { nodes: standing.nodes, visits: standing.visits - place.before }
}

interface Drawn {
  readonly state: RunState
  readonly edges: readonly Edge[]
}

function inBranches(drawn: Drawn, key: string, fork: Place): Position {
  const targets = drawn.edges.filter(({ from }) => from === fork.node)
  const branches = targets.map(({ to }) => inBranch(drawn, key + keys.branch(fork.node, to), { fork, target: to }))
  const visits = branches.reduce((sum, branch) => sum + branch.visits - fork.visit, fork.visit)
  return { nodes: branches.flatMap(({ nodes }) => nodes), visits }
}

/** Returns a branch's position: none once it has joined, its first node before it has started. */
function inBranch(drawn: Drawn, key: string, { fork, target }: { fork: Place; target: string }): Position {
  const place = placeOf(drawn.state, { key, of: fork.seq })
  if (!place) return { nodes: [target], visits: fork.visit }
  if (place.over) return { nodes: [], visits: place.visit }
  return place.forked ? inBranches(drawn, key, place) : { nodes: [place.node], visits: place.visit }
}
