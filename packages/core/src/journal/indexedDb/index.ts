export { indexedDbAllowStore } from './indexedDbAllowStore.ts'
export { type IndexedDbJournalOptions, indexedDbJournal } from './indexedDbJournal.ts'
export { askToPersist, type Persistence, persistence } from './persistence.ts'
