export type {
  DurableContext,
  DurableNamespace,
  DurableSocket,
  DurableStorage,
  SqlRow,
  SqlStorage,
  SqlValue,
} from './durableContext.ts'
export { type PersonBehaviour, type PersonObjectOptions, personObject } from './personObject.ts'
export { type DurableBehaviour, type RunObjectOptions, runObject } from './runObject.ts'
export { type ServeRunsOptions, serveRuns } from './serveRuns.ts'
export { sqlJournal } from './sqlJournal.ts'
