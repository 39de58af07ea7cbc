export { wilson } from './evaluate/evaluation.ts'
export { equal, refuses, startOf } from './journal/journalCase.ts'
export type { ScriptedReply } from './scriptedModel.ts'
