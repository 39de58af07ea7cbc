export { type EvalLimits, type EvalRunOptions, type EvaluateOptions, evaluate } from './evaluate/evaluate.ts'
export { type EvalResult, type Evaluation, formatEvaluation, type PassRate, passRate } from './evaluate/evaluation.ts'
export { type EvalCase, type ReadCasesOptions, readCases } from './evaluate/readCases.ts'
export {
  contains,
  exact,
  type JudgeOptions,
  jsonEqual,
  judge,
  type Score,
  type Scorer,
  type Scoring,
} from './evaluate/scorers.ts'
export { expectTrace, formatTrace } from './expectTrace.ts'
export { type JournalCase, journalSuite } from './journalSuite.ts'
export { type ManualHost, manualHost } from './manualHost.ts'
export { type RecordedModel, recordModel } from './recordModel.ts'
export type { RunDifference } from './replay/describeEvent.ts'
export { type ReplayedRun, type ReplayRunOptions, replayRun, testRun } from './replay/replayRun.ts'
export { type ScriptedModel, type ScriptedTurn, scriptedModel } from './scriptedModel.ts'
