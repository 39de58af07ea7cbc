export {
  type ClientToolOptions,
  type ClientToolTypes,
  clientTool,
  type PageFunctions,
  type PageTool,
} from '../clientTool.ts'
export type { PageContext } from '../pageCalls.ts'
export { type PageModelOptions, pageModel } from '../pageModel.ts'
export type { RemoteAgent, RemoteRun } from '../remoteRun.ts'
export type { WorkerSource } from './link.ts'
export { pageAgent } from './pageAgent.ts'
export type { WorkerLike } from './visit.ts'
export { type WorkerAgentOptions, workerAgent } from './workerAgent.ts'
export { type HostPort, type WorkerHost, type WorkerHostOptions, workerHost } from './workerHost.ts'
