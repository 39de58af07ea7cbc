import type {
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

/**
 * A file's bytes or address, as the AI SDK accepts it. A string is base64, or a URL with `https:`, `http:` or `data:`.
 */
export type GivenData = string | URL | Uint8Array | ArrayBuffer | Readonly<Record<string, string>>

interface TaggedBytes {
  readonly type: 'data'
  readonly data: string | Uint8Array | ArrayBuffer
}
interface Given {
  readonly providerOptions?: LanguageModelV4FilePart['providerOptions'] | undefined
}

/** A file of a message: in the model interface's format, or with its raw data. */
export type GivenFile =
  | (Given & {
      readonly type: 'file'
      readonly mediaType: string
      readonly filename?: string | undefined
      readonly data: LanguageModelV4FilePart['data'] | GivenData | TaggedBytes
    })
  | (Given & { readonly type: 'image'; readonly mediaType?: string | undefined; readonly image: GivenData })

/** A user message: a string, or texts and files. */
export type GivenContent =
  | UserContent
  | readonly (GivenFile | (Given & Pick<LanguageModelV4TextPart, 'type' | 'text'>))[]

type Data = LanguageModelV4FilePart['data']

/** Converts a file part to the model interface; undefined for a file that no provider could read. */
export function readFilePart(given: unknown): unknown {
  if (!isObject(given) || (given.type !== 'file' && given.type !== 'image')) return given
  const { type, data, image, url, mimeType, mediaType, ...others } = given as Readonly<Record<string, unknown>>
  const read = readData(data ?? image ?? url)
  const media = mediaType ?? mimeType ?? read?.mediaType ?? (type === 'image' ? 'image' : undefined)
  if (!read || typeof media !== 'string' || media === '') return undefined
  return { ...others, type: 'file', mediaType: media, data: read.data } satisfies Partial<LanguageModelV4FilePart>
}

/** The valid shapes of a file, for messages. */
export const fileAdvice: string =
  '{ type: "file", mediaType: "image/png", data }, with `data` as base64, a URL or bytes, such as await file.arrayBuffer()'

interface Read {
  readonly data: Data
  /** The media type that the address names. */
  readonly mediaType?: string | undefined
}

function readData(given: unknown): Read | undefined {
  if (typeof given === 'string') return isAddress(given) ? readAddress(given) : readBase64(given)
  if (isUrl(given)) return readAddress(given.href)
  const bytes = bytesOf(given)
  if (bytes) return { data: { type: 'data', data: bytes } }
  return isObject(given) ? readTagged(given) : undefined
}

function readTagged(given: Readonly<Record<string, unknown>>): Read | undefined {
  switch (given.type) {
    case 'data':
      return typeof given.data === 'string' ? readBase64(given.data) : bytesOf(given.data) && readData(given.data)
    case 'url':
      return isUrl(given.url) || typeof given.url === 'string' ? readAddress(String(given.url)) : undefined
    case 'text':
      return typeof given.text === 'string' ? { data: { type: 'text', text: given.text } } : undefined
    case 'reference':
      return readReference(given.reference)
    default:
      return readReference(given)
  }
}

/** The ids of an uploaded file, by provider. */
function readReference(given: unknown): Read | undefined {
  if (!isObject(given)) return undefined
  const ids = Object.values(given)
  const isReference = ids.length > 0 && ids.every((id) => typeof id === 'string')
  return isReference ? { data: { type: 'reference', reference: given as Record<string, string> } } : undefined
}

/** Returns true for a URL. Compares the tag, since each frame has its own classes. */
const isUrl = (given: unknown): given is URL => Object.prototype.toString.call(given) === '[object URL]'

function bytesOf(given: unknown): Uint8Array | undefined {
  if (ArrayBuffer.isView(given)) return new Uint8Array(given.buffer, given.byteOffset, given.byteLength)
  const isBuffer = Object.prototype.toString.call(given) === '[object ArrayBuffer]'
  return isBuffer ? new Uint8Array(given as ArrayBuffer) : undefined
}

const isAddress = (text: string): boolean => /^[a-z][a-z0-9+.-]{1,31}:/i.test(text)

function readAddress(address: string): Read | undefined {
  // No provider can load an address that only this page can load.
  if (/^blob:/i.test(address)) return undefined
  if (!/^data:/i.test(address))
    return URL.canParse(address) ? { data: { type: 'url', url: new URL(address) } } : undefined
  const comma = address.indexOf(',')
  if (comma < 0) return undefined
  const [mediaType = '', ...parameters] = address.slice('data:'.length, comma).split(';')
  const content = address.slice(comma + 1)
  const isBase64 = parameters.at(-1)?.toLowerCase() === 'base64'
  const read = isBase64 ? readBase64(content) : readText(content)
  return read && { ...read, mediaType: mediaType || 'text/plain' }
}

const readBase64 = (data: string): Read | undefined =>
  data === '' || /[^A-Za-z0-9+/_=\s-]/.test(data) ? undefined : { data: { type: 'data', data } }

function readText(encoded: string): Read | undefined {
  try {
    return { data: { type: 'text', text: decodeURIComponent(encoded) } }
  } catch {
    return undefined
  }
}

/** Returns message content that may be stored. Unreadable content would make the whole run unreadable. */
export function plainContent(content: GivenContent): UserContent {
  if (typeof content === 'string') return content
  const plain = asPlain(withFiles(content, 'A message'))
  const wrong = misfitOfParts(plain)
  const advice = 'Give a text, or a list of parts of type "text" and "file".'
  assertOption(wrong === undefined, DEV && `A message has a wrong or missing "${wrong || 'content'}". ${advice}`)
  return plain as UserContent
}

/** Returns messages that may be stored. `owner` is their name in errors, such as `The history`. */
export function plainMessages(
  messages: readonly LanguageModelV4Message[],
  owner = 'The history',
): readonly LanguageModelV4Message[] {
  const given = Array.isArray(messages) ? messages.map((message) => withFilesInside(message, owner)) : messages
  const plain = asPlain(given)
  const wrong = Array.isArray(plain) ? firstOf(plain, misfitOfMessage) : ''
  const advice = 'Give messages such as { role: "user", content: [{ type: "text", text }] }.'
  assertOption(wrong === undefined, DEV && `${owner} has a wrong or missing "${wrong || 'message'}". ${advice}`)
  return plain
}

const withFilesInside = (message: LanguageModelV4Message, owner: string): LanguageModelV4Message =>
  isObject(message) ? ({ ...message, content: withFiles(message.content, owner) } as typeof message) : message

/** Converts files to the model interface. Throws for one that no provider could read: it would be dropped silently. */
function withFiles(content: unknown, owner: string): unknown {
  if (!Array.isArray(content)) return content
  return content.map((part) => {
    const read = readFilePart(part)
    assertOption(read !== undefined, DEV && `${owner} has a file that cannot be read. Give ${fileAdvice}.`)
    return read
  })
}

/** Returns the path to the first item that does not fit. */
function firstOf(list: readonly unknown[], misfitOf: (item: unknown) => string | undefined): string | undefined {
  for (const [index, item] of list.entries()) {
    const wrong = misfitOf(item)
    if (wrong !== undefined) return wrong ? `${index}.${wrong}` : `${index}`
  }
  return undefined
}

export const isContent = (content: unknown): content is UserContent =>
  typeof content === 'string' || misfitOfParts(content) === undefined

const misfitOfParts = (parts: unknown): string | undefined => (Array.isArray(parts) ? firstOf(parts, misfitOfPart) : '')

function misfitOfPart(part: unknown): string | undefined {
  if (!isObject(part)) return ''
  if (part.type === 'text') return typeof part.text === 'string' ? undefined : 'text'
  if (part.type === 'file') return isObject(part.data) ? undefined : 'data'
  return part.type === 'custom' ? undefined : 'type'
}

function misfitOfMessage(message: unknown): string | undefined {
  if (!isObject(message)) return ''
  const { role, content } = message
  if (role === 'system') return typeof content === 'string' ? undefined : 'content'
  if (role !== 'user' && role !== 'assistant' && role !== 'tool') return 'role'
  if (!Array.isArray(content)) return 'content'
  const wrong = firstOf(content, role === 'user' ? misfitOfPart : role === 'tool' ? misfitOfAnswer : misfitOfTurnPart)
  return wrong === undefined ? undefined : `content.${wrong}`
}

/** The members of a part that must be strings. Parts of other types are the provider's own. */
const textsOf: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  reasoning: ['text'],
  'tool-call': ['toolCallId', 'toolName'],
  'tool-result': ['toolCallId', 'toolName'],
}

function misfitOfTurnPart(part: unknown): string | undefined {
  if (!isObject(part) || typeof part.type !== 'string') return 'type'
  const texts = Object.hasOwn(textsOf, part.type) ? textsOf[part.type] : undefined
  const wrong = texts?.find((name) => typeof part[name] !== 'string')
  return wrong ?? (part.type === 'tool-result' && !isResult(part.output) ? 'output' : undefined)
}

/** Returns the path to the first invalid member of a part of a tool message. */
function misfitOfAnswer(part: unknown): string | undefined {
  if (!isObject(part)) return ''
  if (part.type === 'tool-approval-response') return undefined
  return part.type === 'tool-result' ? misfitOfTurnPart(part) : 'output'
}

/** Returns true if a model can receive it as the result of a call. */
export function isResult(output: unknown): output is LanguageModelV4ToolResultOutput {
  if (!isObject(output)) return false
  const { type, value } = output
  if (type === 'execution-denied') return true
  if (type === 'content') return misfitOfParts(value) === undefined
  if (type === 'text' || type === 'error-text') return typeof value === 'string'
  return (type === 'json' || type === 'error-json') && value !== undefined
}
