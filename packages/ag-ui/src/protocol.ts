import type { Json } from '@interleave/core'

/** The version of AG-UI that this package writes. */
export const protocolVersion = '1.0'

/** Free-form data. */
export type Metadata = Record<string, Json>

/** A part of a message: text, or the address or bytes of a file. */
export type AgUiPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio' | 'video' | 'document'; readonly source: AgUiSource }
export type AgUiSource =
  | { readonly type: 'data'; readonly value: string; readonly mimeType: string }
  | { readonly type: 'url'; readonly value: string; readonly mimeType?: string }
  | { readonly type: 'file'; readonly value: string; readonly provider?: string; readonly mimeType?: string }
export type AgUiContent = string | AgUiPart[]

/** A message of a client's list. */
export type AgUiMessage =
  | { id: string; role: 'user'; content: AgUiContent }
  | { id: string; role: 'assistant'; content?: string; toolCalls?: AgUiToolCall[] }
  | { id: string; role: 'tool'; toolCallId: string; content: AgUiContent; error?: string; metadata?: Metadata }
  | { id: string; role: 'reasoning'; content: string }
export interface AgUiToolCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

/** A question, as AG-UI asks it. */
export interface AgUiInterrupt {
  id: string
  reason: string
  message: string
  toolCallId?: string
  responseSchema: Metadata
  metadata: Metadata
  subagentRunId?: string
}

export interface TokenUsage {
  provider?: string
  model?: string
  inputTokens: number
  outputTokens: number
  totalTokens: number
  reasoningTokens: number
  cachedInputTokens: number
  cacheWriteInputTokens: number
}

export type Outcome =
  | { type: 'success'; pendingToolCallIds?: string[] }
  | { type: 'interrupt'; interrupts: AgUiInterrupt[] }
  | { type: 'cancelled' }

interface Events {
  RUN_STARTED: { threadId: string; runId: string; parentRunId?: string; protocolVersion: string }
  RUN_FINISHED: { threadId: string; runId: string; outcome: Outcome; result?: Json; usage?: TokenUsage[] }
  RUN_ERROR: { message: string; code: string; usage?: TokenUsage[] }
  STEP_STARTED: { stepName: string }
  STEP_FINISHED: { stepName: string }
  TEXT_MESSAGE_START: { messageId: string; role: 'assistant' | 'user' }
  TEXT_MESSAGE_CONTENT: { messageId: string; delta: string }
  TEXT_MESSAGE_END: { messageId: string }
  REASONING_START: { messageId: string }
  REASONING_MESSAGE_START: { messageId: string; role: 'reasoning' }
  REASONING_MESSAGE_CONTENT: { messageId: string; delta: string }
  REASONING_MESSAGE_END: { messageId: string }
  REASONING_END: { messageId: string }
  TOOL_CALL_START: { toolCallId: string; toolCallName: string; parentMessageId: string }
  TOOL_CALL_ARGS: { toolCallId: string; delta: string }
  TOOL_CALL_END: { toolCallId: string }
  TOOL_CALL_RESULT: {
    messageId: string
    toolCallId: string
    content: AgUiContent
    role: 'tool'
    metadata?: Metadata
  }
  STATE_SNAPSHOT: { snapshot: Json }
  MESSAGES_SNAPSHOT: { messages: AgUiMessage[] }
  ACTIVITY_SNAPSHOT: { messageId: string; activityType: string; content: Metadata; subagentRunId?: string }
  SUBAGENT_STARTED: { subagentRunId: string; name: string; parentToolCallId: string }
  SUBAGENT_FINISHED: {
    subagentRunId: string
    outcome: { type: 'success' } | { type: 'suspended'; interruptIds?: string[] }
  }
  SUBAGENT_ERROR: { subagentRunId: string; message: string; code: string }
  CUSTOM: { name: string; value: Json }
}

export type AgUiEventOf<Type extends keyof Events> = { type: Type; timestamp?: number } & Events[Type]

/** An event of AG-UI 1.0, of the types that this package writes. */
export type AgUiEvent = { [Type in keyof Events]: AgUiEventOf<Type> }[keyof Events]
