export { type AgentOptions, agent } from './agent.ts'
export { reasonAct } from './agents/reasonAct.ts'
export { answer } from './capabilities/answer/answer.ts'
export { finalAnswer } from './capabilities/answer/finalAnswer.ts'
export { type ApprovalOptions, approval } from './capabilities/approvals/approval.ts'
export { elsewhere } from './capabilities/elsewhere/elsewhere.ts'
export { type FileData, type FileOptions, file } from './capabilities/file/file.ts'
export { type Price, type PriceTable, prices } from './capabilities/prices/prices.ts'
export { choice, choices, confirm, declinable, form, link, text } from './capabilities/questions/ask.ts'
export { AgentError, type Failure, isAgentError } from './error.ts'
export type { Event } from './event.ts'
export { type Effect, type Host, localHost } from './host.ts'
export type { Json } from './json.ts'
export type { UserContent } from './part.ts'
export type { ApprovalReply, Ask, Declined, Question, ReplyTo } from './question.ts'
export type { Agent, AgentHandle, Answer, Listener, ResumeOptions, Run, StartOptions, Step } from './run.ts'
export type { Schema } from './schema.ts'
export type { Limits, Signal } from './signal.ts'
export type { RunState } from './state.ts'
export { textAnswer } from './stop/text.ts'
export {
  type Approval,
  type Decision,
  type Elsewhere,
  type ToolContext,
  type ToolOptions,
  type ToolSet,
  tool,
} from './tool.ts'
export type { TypedQuestion } from './typedQuestion.ts'
export type { Usage } from './usage.ts'
