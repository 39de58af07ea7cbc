export type { AppendOptions, Durability, Journal, ListOptions, RunSummary } from '../journal.ts'
export { memoryJournal } from './memory.ts'
