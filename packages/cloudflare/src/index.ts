export { type SqlRow, type SqlStorage, type SqlValue, sqlJournal } from '@interleave/server/internal'
export type {
  DurableContext,
  DurableNamespace,
  DurableSocket,
  DurableStorage,
} from './durableContext.ts'
export { type DurableBehaviour, type RunObjectOptions, runObject } from './runObject.ts'
export { type ServeRunsOptions, serveRuns } from './serveRuns.ts'
export { type UserBehaviour, type UserObjectOptions, userObject } from './userObject.ts'
