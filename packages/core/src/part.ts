import type {
  LanguageModelV4Content,
  LanguageModelV4FilePart,
  LanguageModelV4TextPart,
  LanguageModelV4ToolCall,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider'
import type { Json } from './json.ts'

/** The content of a user message: a string, or texts and files in the model interface's format. */
export type UserContent = string | readonly (LanguageModelV4TextPart | LanguageModelV4FilePart)[]

/** Returns true if a message contains nothing for a model. Untyped callers may pass no message at all. */
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
