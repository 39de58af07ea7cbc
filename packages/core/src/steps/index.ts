export { remind } from '../capabilities/answer/remind.ts'
export { type ChildOptions, type ChildSignal, childId, runChild } from '../children/child.ts'
export type { EventBody } from '../event.ts'
export { openCalls } from '../history/fold.ts'
export type { ModelSettings, TurnPlan } from '../plan.ts'
export type { Activity, RunContext, Step } from '../run.ts'
export type { Call } from '../state.ts'
export { inOrder } from '../step.ts'
export { type ConfidentAnswerOptions, confidentAnswer } from '../stop/confidentAnswer.ts'
export { type ActOptions, act } from './act.ts'
export { type CompactOptions, compact, retryCompacted } from './compact/compact.ts'
export { type CutResultsOptions, cutResults } from './compact/cutResults.ts'
export { dropTurns } from './compact/dropTurns.ts'
export type { CompactionContext, CompactionStrategy } from './compact/pipeline.ts'
export type { Segment } from './compact/segment.ts'
export { type SummaryOptions, summarize } from './compact/summarize.ts'
export { concurrently } from './concurrently.ts'
export {
  type Enforcement,
  type EnforceOptions,
  enforce,
  enforced,
  type ForceActionOptions,
  forceAction,
} from './enforce.ts'
export {
  type GuardCallsOptions,
  type GuardInputOptions,
  guardCalls,
  guardInput,
  type RedactEmailsOptions,
  redactEmails,
} from './guard.ts'
export { type AnswerCheck, type AnswerOptions, guardOutput, postprocess, validate } from './judgeAnswers.ts'
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
export { type ReflectOptions, reflect } from './reflect.ts'
export { type RememberPermissionsOptions, rememberPermissions } from './rememberPermissions.ts'
export { type SideCallOptions, sideCall } from './sideCall.ts'
export { type ThinkOptions, think } from './think.ts'
export { allow, block, type Check, rewrite, type Verdict } from './verdict.ts'
