export { type DelegateOptions, delegate } from '../backends/delegate.ts'
export type { ExternalAgent, ExternalEvent, ExternalTurn } from '../backends/externalAgent.ts'
export { type Routed, type RouteOptions, route } from '../backends/route.ts'
export { type AgentProgress, type AgentTool, type AgentToolOptions, agentTool } from '../tools/agentTool.ts'
