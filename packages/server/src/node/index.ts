export { type NodeListenerOptions, nodeListener } from './nodeListener.ts'
export type { NodeRequest, NodeResponse } from './toRequest.ts'
