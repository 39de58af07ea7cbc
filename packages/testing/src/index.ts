export { expectTrace, formatTrace } from './expectTrace.ts'
export { type JournalCase, journalSuite } from './journalSuite.ts'
export { type ManualHost, manualHost } from './manualHost.ts'
export { type RecordedModel, recordModel } from './recordModel.ts'

export { type ScriptedModel, type ScriptedTurn, scriptedModel } from './scriptedModel.ts'
