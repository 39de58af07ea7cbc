export { wilson } from './evaluate/wilson.ts'
export { equal, refuses, startOf } from './journal/journalCase.ts'
export type { ScriptedReply } from './scriptedModel.ts'
