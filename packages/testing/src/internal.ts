/** What the other packages of Interleave use of this one. It may change in any release. */
export { equal, refuses } from './journal/journalCase.ts'
export { startOf } from './journal/sampleLog.ts'
export type { ScriptedReply } from './scriptedModel.ts'
