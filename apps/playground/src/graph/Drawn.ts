import type { Edge } from '@interleave/core/graph'

/** What of a graph is drawn. */
export interface Drawn {
  readonly nodes: readonly string[]
  readonly edges: readonly Edge[]
  readonly start: string
}
