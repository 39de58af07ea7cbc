export {
  type Edge,
  type EdgesTo,
  END,
  type Fault,
  type FaultType,
  type GraphShape,
  type ParallelNode,
  type Router,
  router,
} from './edges.ts'
export { findFaults } from './faults.ts'
export { type Graph, type GraphOptions, graph } from './graph.ts'
export { type InOwnRunOptions, inOwnRun } from './inOwnRun.ts'
export { type GraphNode, type UntilAnswerOptions, untilAnswer, wait } from './nodes.ts'
export { type ParallelOptions, parallel } from './parallel.ts'
export { type Position, position, toMermaid, visitCounts } from './position.ts'
export { type Value, value } from './visit.ts'
