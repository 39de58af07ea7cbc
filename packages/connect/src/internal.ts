/** Names that the other packages of Interleave use. They may change in any release. */
export { type Field, type FlatForm, readForm } from './flatForm.ts'
export { type Frame, heartbeat, writeFrame } from './http/frame.ts'
export { readServerEvents, type ServerEvent, UnfinishedText } from './http/readServerEvents.ts'
export { IdleRegistry } from './idleRegistry.ts'
export { LiveQueue } from './liveQueue.ts'
export type { Answer } from './messages.ts'
export { messageFor, type OutsideOutcome, outcomeOfCall, outsideModel } from './outside.ts'
export { CommandQueue, doneBefore, OwnedRun } from './owner.ts'
export { callPage, hasTool, Page, type PageOptions, pageRegistry } from './page.ts'
export { type PageLeases, pageLeases, type WantedCall, wantedPageOf } from './pageLeases.ts'
export { idTaken, ofOtherAgent, Registry } from './registry.ts'
export type { OutputOf, RemoteAgent, RemoteRun, ToolTypesOf } from './remoteRun.ts'
export type { Request, Transport } from './remoteRuns.ts'
export { createRemoteAgent, newRunId, RemoteRuns } from './remoteRuns.ts'
export {
  type ClientCall,
  clientGraceMs,
  isToolAnswer,
  isToolCall,
  type ToolAnswer,
  type ToolCall,
  wireError,
} from './toolCalls.ts'
export { elapsedMs, Notifier, pause, retryDelay, until } from './wait.ts'
