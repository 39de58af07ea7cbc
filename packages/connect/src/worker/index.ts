export type { HostedRun } from '../followRun.ts'
export { type PageModelOptions, pageModel } from '../pageModel.ts'
export { type PageTool, type PageToolOptions, pageTool } from '../pageTool.ts'
export type { PageContext } from '../performTool.ts'
export type { WorkerLike } from './link.ts'
export { pageAgent } from './pageAgent.ts'
export {
  type HostedAgent,
  type PageFunctions,
  type PageToolTypes,
  type WorkerAgentOptions,
  workerAgent,
} from './workerAgent.ts'
export { type HostPort, type WorkerHost, type WorkerHostOptions, workerHost } from './workerHost.ts'
