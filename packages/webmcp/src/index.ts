export type { RegisteredTool } from './modelContext.ts'
export { type OfferToolsOptions, offerTools } from './offerTools.ts'
export { type PageToolsOptions, pageTools } from './pageTools.ts'
export {
  type PageToolCall,
  type RemotePageFunctions,
  type RemotePageTools,
  type RemotePageToolsOptions,
  remotePageFunctions,
  remotePageTools,
} from './remotePageTools.ts'
