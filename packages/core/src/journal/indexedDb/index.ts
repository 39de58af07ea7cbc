export { type IndexedDbJournalOptions, indexedDbJournal } from './indexedDbJournal.ts'
export { indexedDbPermissionStore } from './indexedDbPermissionStore.ts'
export { askToPersist, type Persistence, persistence } from './persistence.ts'
