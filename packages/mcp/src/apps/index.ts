export type { AppPermission } from './appResource.ts'
export type { AppPlace } from './appRuns.ts'
export type { AppReady, AppState, AppSurroundings, AppView } from './appView.ts'
export { type McpApps, type McpAppsOptions, mcpApps } from './mcpApps.ts'
