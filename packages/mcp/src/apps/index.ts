export type { AppPermission } from './appResource.ts'
export type { AppCall } from './appRuns.ts'
export type { AppHostContext, AppReady, AppState, AppView } from './appView.ts'
export { type McpApps, type McpAppsOptions, mcpApps } from './mcpApps.ts'
