/** Names that the other packages of Interleave use. They may change in any release. */
export { equal, refuses } from './journal/journalCase.ts'
export { startOf } from './journal/sampleLog.ts'
export type { ScriptedReply } from './scriptedModel.ts'
