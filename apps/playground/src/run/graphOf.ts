import type { Step } from '@interleave/core'
import type { Graph } from '@interleave/core/graph'

/** A backend as the graph that it is; undefined for any other. */
export const graphOf = (backend: Step): Graph | undefined => (isGraph(backend) ? backend : undefined)

const isGraph = (backend: Step): backend is Graph => 'nodes' in backend && 'edges' in backend
