export type {
  AppendOptions,
  Durability,
  Journal,
  JournalEngine,
  JournalStore,
  ListOptions,
  RunSummary,
  SavedRun,
  TimedJournal,
  WatchableJournal,
} from '../journal.ts'
export { type ExportOptions, exportRun } from './exportRun.ts'
export { type ForkEdit, type ForkOptions, fork } from './fork.ts'
export { type ImportOptions, importRun } from './importRun.ts'
export { createJournal, savedRun } from './journalEngine.ts'
export { type InspectedRun, inspectRuns, type PruneOptions, prune, type Recovered, recoverRun } from './maintain.ts'
export { memoryJournal } from './memoryJournal.ts'
export { type KeyValues, keyValuePermissionStore, type PermissionStore } from './permissionStore.ts'
export type { RunFile } from './runFile.ts'
