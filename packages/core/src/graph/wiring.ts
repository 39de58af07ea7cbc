import type { Step } from '../run.ts'
import { type EdgesTo, isRouter, type Router } from './edges.ts'
import { findForks } from './findForks.ts'
import { thinks } from './forkFaults.ts'
import type { GraphShape } from './graphShape.ts'
import { toVertices } from './vertex.ts'

/** A graph as it is walked through, by names of nodes. */
export interface Wiring {
  readonly name: string
  readonly start: string
  readonly steps: ReadonlyMap<string, Step>
  readonly routers: ReadonlyMap<string, Router>
  /** Where plain edges lead. */
  readonly targets: ReadonlyMap<string, readonly string[]>
  readonly forks: ReadonlyMap<string, Branching>
  /** Visits that a walk may make. */
  readonly visits: number
  /** The maximum of concurrent branches. */
  readonly parallel: number
}
/** The branches that begin at a node. */
export interface Branching {
  readonly join: string
  readonly targets: readonly string[]
  /** The branch that may talk to the model. */
  readonly talker: string | undefined
}

export type EdgesByNode = Readonly<Record<string, EdgesTo<string>>>

interface Parts extends Pick<Wiring, 'name' | 'steps' | 'visits' | 'parallel'> {
  readonly edges: EdgesByNode
  readonly shape: GraphShape & { readonly start: string }
}

export function toWiring({ edges, shape, ...plain }: Parts): Wiring {
  const targets = new Map<string, string[]>()
  for (const { from, to } of shape.edges) targets.set(from, [...(targets.get(from) ?? []), to])
  const routers = new Map<string, Router>()
  for (const [from, to] of Object.entries(edges)) if (isRouter(to)) routers.set(from, to)
  return { ...plain, start: shape.start, routers, targets, forks: toForks(shape) }
}

function toForks(shape: GraphShape): ReadonlyMap<string, Branching> {
  const thinking = new Set(shape.thinking)
  return new Map(
    findForks(toVertices(shape)).map(({ from, join, branches }) => {
      const talker = branches.find(({ nodes }) => thinking.size > 0 && thinks(nodes(), thinking))?.target.name
      return [from.name, { join: join.name, targets: branches.map(({ target }) => target.name), talker }]
    }),
  )
}
