export { type SqlRow, type SqlStorage, type SqlValue, sqlJournal } from '@interleave/server/internal'
export type {
  DurableContext,
  DurableNamespace,
  DurableSocket,
  DurableStorage,
} from './durableContext.ts'
export { type RunObjectMethods, type RunObjectOptions, runObject } from './runObject.ts'
export { type ServeRunsOptions, serveRuns } from './serveRuns.ts'
export { type UserObjectMethods, type UserObjectOptions, userObject } from './userObject.ts'
