export {
  type Edge,
  type EdgesTo,
  END,
  type Fault,
  type FaultType,
  type GraphShape,
  type Router,
  router,
} from './edges.ts'
export { findFaults } from './faults.ts'
export { type Graph, type GraphNode, type GraphOptions, graph } from './graph.ts'
export { type InOwnRunOptions, inOwnRun, type UntilAnswerOptions, untilAnswer, wait } from './nodes.ts'
export { type Position, position, toMermaid, visitCounts } from './position.ts'
export { type Value, value } from './visit.ts'
