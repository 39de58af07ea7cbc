export type { Call } from '../entry.ts'
export type { EventBody } from '../event.ts'
export { inOrder } from '../inOrder.ts'
export { openCalls } from '../openCalls.ts'
export type { ModelSettings, TurnPlan } from '../plan.ts'
export type { Activity, RunContext, Step } from '../run.ts'
export { type ChildOptions, type ChildSignal, childId, runChild } from '../runChild.ts'
export { type ActOptions, act } from './act.ts'
export { type CompactOptions, compact, retryCompacted } from './compact/compact.ts'
export { type DropObservationsOptions, dropObservations, dropTurns, keepImportant } from './compact/drop.ts'
export { inTurn } from './compact/inTurn.ts'
export type { CompactionStrategy, OldPart, Piece, Shortened } from './compact/strategy.ts'
export { type SummaryOptions, summarise, summariseHierarchically } from './compact/summarise.ts'
export { type ConsultOptions, consult } from './consult.ts'
export { type Enforcement, type EnforceOptions, enforce, enforced } from './enforce.ts'
export { type ForceActionOptions, forceAction } from './forceAction.ts'
export { type GuardCallsOptions, guardCalls } from './guardCalls.ts'
export { type GuardInputOptions, guardInput } from './guardInput.ts'
export { guardOutput } from './guardOutput.ts'
export type { AnswerOptions } from './judgeAnswers.ts'
export { type LimitOptions, limit } from './limit.ts'
export { type CallRate, limitCalls } from './limitCalls.ts'
export {
  type Exchange,
  type Memory,
  type MemoryItem,
  type MemorySearch,
  type RememberOptions,
  remember,
} from './memory/remember.ts'
export { type SearchMemory, type SearchMemoryOptions, searchMemory } from './memory/searchMemory.ts'
export { type NoRepeatsOptions, noRepeats } from './noRepeats.ts'
export { postprocess } from './postprocess.ts'
export { type RedactEmailsOptions, redactEmails } from './redactEmails.ts'
export { type ReflectOptions, reflect } from './reflect.ts'
export { remind } from './remind.ts'
export { type ThinkOptions, think } from './think.ts'
export { type Complaint, validate } from './validate.ts'
export { allow, block, type Check, rewrite, type Verdict } from './verdict.ts'
