/** Where a graph is over. An edge may lead here as to a node. */
export const END: '__end__' = '__end__'

/** A way from a node to another one, or to `END`. A conditional one is a target that a router may choose. */
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
  /** The nodes that ask a model. Of the branches of a fork, only one may hold such nodes. */
  readonly thinking?: readonly string[]
}
