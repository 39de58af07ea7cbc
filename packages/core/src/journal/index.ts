export type { AppendOptions, Durability, Journal, ListOptions, RunSummary } from '../journal.ts'
export { memoryJournal } from './memory.ts'
export { type PruneOptions, prune } from './prune.ts'
