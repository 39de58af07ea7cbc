import type {
  JSONObject,
  LanguageModelV4Content,
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4TextPart,
  LanguageModelV4ToolCall,
  LanguageModelV4ToolResultOutput,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider'
import { DEV } from '#checks'
import { asPlain, isObject, type Json } from './json.ts'
import { assertOption } from './options.ts'

/** The content of a user message: a string, or texts and files in the model interface's format. */
export type UserContent = string | readonly (LanguageModelV4TextPart | LanguageModelV4FilePart)[]

/** Returns true if a message contains nothing for a model. Untyped callers may pass no message at all. */
export const isBlank = (
  content: string | readonly { readonly type: string; readonly text?: unknown }[] | undefined,
): boolean => !content || (Array.isArray(content) && content.every((part) => part?.type === 'text' && part.text === ''))

/** Returns the text of a user message, without its files. */
export const messageText = (content: UserContent, separator = '\n'): string =>
  typeof content === 'string'
    ? content
    : content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(separator)

/** Returns the result of a tool as text, with its files by name. */
export function resultText(output: LanguageModelV4ToolResultOutput): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value
    case 'json':
    case 'error-json':
      return JSON.stringify(output.value) ?? ''
    case 'execution-denied':
      return `refused${output.reason ? `: ${output.reason}` : ''}`
    case 'content':
      return output.value
        .map((part) => (part.type === 'text' ? part.text : part.type === 'file' ? `[file: ${part.mediaType}]` : ''))
        .join('\n')
  }
}

/** One part of a model turn, as the provider streamed it; only the input of a tool call is parsed already. */
export type Part = Exclude<LanguageModelV4Content, LanguageModelV4ToolCall> | ToolCallPart

export interface ToolCallPart {
  readonly type: 'tool-call'
  readonly toolCallId: string
  readonly toolName: string
  readonly input: Json
  /** The reason why the input could not be parsed. `input` is then the original text. */
  readonly invalid?: string
  readonly providerExecuted?: boolean
  readonly dynamic?: boolean
  readonly providerMetadata?: SharedV4ProviderMetadata
}

/** Returns message content that may be stored. Unreadable content would make the whole run unreadable. */
export function plainContent(content: UserContent): UserContent {
  if (typeof content === 'string') return content
  const plain = asPlain(content)
  checkFiles(plain, 'A message')
  const wrong = invalidPathOfParts(plain)
  const advice = 'Give a text, or a list of { type: "text", text } and file(data, mediaType).'
  assertOption(wrong === undefined, DEV && `A message has a wrong or missing "${wrong || 'content'}". ${advice}`)
  return plain as UserContent
}

/** Returns messages that may be stored. `owner` is their name in errors, such as `The history`. */
export function plainMessages(
  messages: readonly LanguageModelV4Message[],
  owner = 'The history',
): readonly LanguageModelV4Message[] {
  const plain = asPlain(messages)
  if (Array.isArray(plain)) for (const message of plain) checkFiles(message?.content, owner)
  const wrong = Array.isArray(plain) ? firstOf(plain, invalidPathOfMessage) : ''
  const advice = 'Give messages such as { role: "user", content: [{ type: "text", text }] }.'
  assertOption(wrong === undefined, DEV && `${owner} has a wrong or missing "${wrong || 'message'}". ${advice}`)
  return plain
}

/** Throws for a file that is not as the log has it: only `file()` reads other forms. */
const checkFiles = (parts: unknown, owner: string): void =>
  assertOption(areFilesRead(parts), DEV && `${owner} has a file that no provider could read. ${fileAdvice}`)

/** Returns true if all files of a list of parts are as the log has them. */
export const areFilesRead = (parts: unknown): boolean =>
  !Array.isArray(parts) || parts.every((part) => !isFile(part) || isStored(part))

const isFile = (part: unknown): part is JSONObject => isObject(part) && (part.type === 'file' || part.type === 'image')

/** The function that makes files, for messages. */
export const fileAdvice: string =
  'Make it with file() of @interleave/core, from bytes, base64 or an address: file(await blob.arrayBuffer(), "image/png").'

/** Returns true for a file as the log has it. */
function isStored({ type, mediaType, data }: JSONObject): boolean {
  if (type !== 'file' || typeof mediaType !== 'string' || mediaType === '' || !isObject(data)) return false
  switch (data.type) {
    case 'data':
      return typeof data.data === 'string' && !/[^A-Za-z0-9+/_=\s-]/.test(data.data)
    case 'url':
      // A provider cannot load an address of this page, and many read no data: URL.
      return typeof data.url === 'string' && URL.canParse(data.url) && !/^(?:blob|data):/i.test(data.url)
    case 'text':
      return typeof data.text === 'string'
    default:
      return data.type === 'reference' && isObject(data.reference)
  }
}

/** Returns the path to the first item that does not fit. */
function firstOf(list: readonly unknown[], invalidPathOf: (item: unknown) => string | undefined): string | undefined {
  for (const [index, item] of list.entries()) {
    const wrong = invalidPathOf(item)
    if (wrong !== undefined) return wrong ? `${index}.${wrong}` : `${index}`
  }
  return undefined
}

export const isContent = (content: unknown): content is UserContent =>
  typeof content === 'string' || invalidPathOfParts(content) === undefined

const invalidPathOfParts = (parts: unknown): string | undefined =>
  Array.isArray(parts) ? firstOf(parts, invalidPathOfPart) : ''

function invalidPathOfPart(part: unknown): string | undefined {
  if (!isObject(part)) return ''
  if (part.type === 'text') return typeof part.text === 'string' ? undefined : 'text'
  if (part.type === 'file') return isObject(part.data) ? undefined : 'data'
  return part.type === 'custom' ? undefined : 'type'
}

function invalidPathOfMessage(message: unknown): string | undefined {
  if (!isObject(message)) return ''
  const { role, content } = message
  if (role === 'system') return typeof content === 'string' ? undefined : 'content'
  if (role !== 'user' && role !== 'assistant' && role !== 'tool') return 'role'
  if (!Array.isArray(content)) return 'content'
  const wrong = firstOf(
    content,
    role === 'user' ? invalidPathOfPart : role === 'tool' ? invalidPathOfAnswer : invalidPathOfTurnPart,
  )
  return wrong === undefined ? undefined : `content.${wrong}`
}

/** The members of a part that must be strings. Parts of other types are the provider's own. */
const textsOf: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  reasoning: ['text'],
  'tool-call': ['toolCallId', 'toolName'],
  'tool-result': ['toolCallId', 'toolName'],
}

function invalidPathOfTurnPart(part: unknown): string | undefined {
  if (!isObject(part) || typeof part.type !== 'string') return 'type'
  const texts = Object.hasOwn(textsOf, part.type) ? textsOf[part.type] : undefined
  const wrong = texts?.find((name) => typeof part[name] !== 'string')
  return wrong ?? (part.type === 'tool-result' && !isResult(part.output) ? 'output' : undefined)
}

/** Returns the path to the first invalid member of a part of a tool message. */
function invalidPathOfAnswer(part: unknown): string | undefined {
  if (!isObject(part)) return ''
  if (part.type === 'tool-approval-response') return undefined
  return part.type === 'tool-result' ? invalidPathOfTurnPart(part) : 'output'
}

/** Returns true if a model can receive it as the result of a call. */
export function isResult(output: unknown): output is LanguageModelV4ToolResultOutput {
  if (!isObject(output)) return false
  const { type, value } = output
  if (type === 'execution-denied') return true
  if (type === 'content') return invalidPathOfParts(value) === undefined
  if (type === 'text' || type === 'error-text') return typeof value === 'string'
  return (type === 'json' || type === 'error-json') && value !== undefined
}
