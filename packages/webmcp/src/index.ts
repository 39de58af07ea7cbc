export {
  type DistantCall,
  type DistantFunctions,
  type DistantTools,
  type DistantToolsOptions,
  distantFunctions,
  distantTools,
} from './distantTools.ts'
export type { RegisteredTool } from './modelContext.ts'
export { type OfferToolsOptions, offerTools } from './offerTools.ts'
export { type PageToolsOptions, pageTools } from './pageTools.ts'
