export { type AgentOptions, agent } from './agent.ts'
export {
  type ApprovalReply,
  type Ask,
  type Asking,
  choice,
  choices,
  confirm,
  type ExtensionReply,
  form,
  type Question,
  type ReplyTo,
  text,
} from './ask.ts'
export { type ReasonActOptions, reasonAct } from './backends/reasonAct.ts'
export { AgentError, type ErrorCode, type Failure, isAgentError } from './error.ts'
export { type AnyEvent, type Event, type EventBody, isKept, type LiveEvent } from './event.ts'
export { type Host, localHost } from './host.ts'
export { inOrder } from './inOrder.ts'
export type { Journal, RunSummary } from './journal.ts'
export type { Json } from './json.ts'
export type { Limits } from './limit.ts'
export type { Agent, EventOf, Observer, Run, RunContext, Step } from './run.ts'
export type { Schema } from './schema.ts'
export { type ScratchpadEntry, scratchpad } from './scratchpad.ts'
export type { Signal } from './signal.ts'
export { fold, openCalls, type RunState, reduce } from './state.ts'
export { act } from './steps/act.ts'
export { limit } from './steps/limit.ts'
export { think } from './steps/think.ts'
export { firstOf } from './stop/firstOf.ts'
export { onFinalAnswer } from './stop/onFinalAnswer.ts'
export { onText } from './stop/onText.ts'
export { type ToolContext, type ToolOptions, type ToolSet, tool } from './tool.ts'
export type { Price, PriceTable, Usage } from './usage.ts'
