export type { Fault, FaultType } from './fault.ts'
export { findFaults } from './findFaults.ts'
export { type Edge, END, type GraphShape } from './graphShape.ts'
