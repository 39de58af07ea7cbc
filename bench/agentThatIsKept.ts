// What an app loads whose runs are shown by the hooks and outlive the page, for the size limits.

export { indexedDbJournal } from '@interleave/core/indexeddb'
export * from './agentWithHooks.ts'
