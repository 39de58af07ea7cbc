export { type ExposeToolsOptions, exposeTools } from './exposeTools.ts'
export type { RegisteredTool } from './modelContext.ts'
export {
  type ClientToolCall,
  type RemotePageFunctions,
  type RemotePageTools,
  type RemotePageToolsOptions,
  remoteWebMcpFunctions,
  remoteWebMcpTools,
} from './remoteWebMcpTools.ts'
export { type WebMcpToolsOptions, webMcpTools } from './webMcpTools.ts'
