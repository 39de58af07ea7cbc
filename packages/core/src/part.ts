import type {
  LanguageModelV4Content,
  LanguageModelV4FilePart,
  LanguageModelV4TextPart,
  LanguageModelV4ToolCall,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider'
import type { Json } from './json.ts'

/** What a user message holds: text, or text and files as the model interface has them. */
export type UserContent = string | readonly (LanguageModelV4TextPart | LanguageModelV4FilePart)[]

/** Whether there is nothing in a message that a model could be given. Callers without types may pass no message at all. */
export const isBlank = (
  content: string | readonly { readonly type: string; readonly text?: unknown }[] | undefined,
): boolean => !content || (Array.isArray(content) && content.every((part) => part?.type === 'text' && part.text === ''))

/** One part of a model turn, as the provider streamed it; only the input of a tool call is parsed already. */
export type Part = Exclude<LanguageModelV4Content, LanguageModelV4ToolCall> | ToolCallPart

export interface ToolCallPart {
  readonly type: 'tool-call'
  readonly toolCallId: string
  readonly toolName: string
  readonly input: Json
  /** Why the input could not be parsed. `input` is then the text as it came. */
  readonly invalid?: string
  readonly providerExecuted?: boolean
  readonly dynamic?: boolean
  readonly providerMetadata?: SharedV4ProviderMetadata
}
