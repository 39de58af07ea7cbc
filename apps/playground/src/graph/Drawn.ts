import type { Edge } from '@interleave/core/graph'

/** The parts of a graph that are drawn. */
export interface Drawn {
  readonly nodes: readonly string[]
  readonly edges: readonly Edge[]
  readonly start: string
}
