export { type AgentProgress, type AgentTool, type AgentToolOptions, agentTool } from './agentTool.ts'
export { type DelegateOptions, delegate } from './delegate.ts'
export type { ExternalAgent, ExternalEvent, ExternalTurn } from './external.ts'
export { type Routed, type RouteOptions, route } from './route.ts'
