export type { DurableStorage, SqlRow, SqlStorage, SqlValue } from './durableStorage.ts'
export { sqlJournal } from './sqlJournal.ts'
