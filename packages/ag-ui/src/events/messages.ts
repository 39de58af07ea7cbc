import { type Event, type Failure, file, type Json, type UserContent } from '@interleave/core'
import { isObject, plainContent } from '@interleave/core/internal'
import { type ChatMessage, messagesOf } from '@interleave/core/observe'
import type { AgUiContent, AgUiMessage, AgUiPart, AgUiSource, Metadata } from '../protocol.ts'

type CallMessage = Extract<ChatMessage, { type: 'call' }>

/** Converts a log to the messages of an AG-UI client, with the ids that the events use. */
export function agUiMessages(log: readonly Event[]): AgUiMessage[] {
  const names = new Map(log.flatMap((event) => (event.type === 'said' ? [[event.seq, saidId(event)] as const] : [])))
  const messages: AgUiMessage[] = []
  const byId = new Map<string, AgUiMessage>()
  const add = (message: AgUiMessage): void => {
    messages.push(message)
    byId.set(message.id, message)
  }
  for (const message of messagesOf(log)) {
    if (message.type === 'user') {
      add({ id: names.get(message.seq) ?? message.key, role: 'user', content: toContent(message.content) })
    } else if (message.type === 'text') {
      const { key, text, reasoning } = message
      if (reasoning.trim()) add({ id: reasoningId(key), role: 'reasoning', content: reasoning })
      if (text.trim()) add({ id: key, role: 'assistant', content: text })
    } else if (message.type === 'call') {
      const id = textId(turnOf(message))
      if (!byId.has(id)) add({ id, role: 'assistant' })
      const parent = byId.get(id)
      if (parent?.role === 'assistant') parent.toolCalls = [...(parent.toolCalls ?? []), toolCallOf(message)]
      if ('output' in message && message.output !== undefined) add(resultOf(message))
    }
  }
  return messages
}

const toolCallOf = ({ key, tool, input }: CallMessage) =>
  ({ id: key, type: 'function', function: { name: tool, arguments: argumentsOf(input) } }) as const

/** Returns the arguments of a call. An input that could not be read is a string. */
export const argumentsOf = (input: unknown): string =>
  typeof input === 'string' ? input : (JSON.stringify(input) ?? '')

function resultOf({ key, output, error }: CallMessage): AgUiMessage {
  const content = toResultContent(output ?? null)
  return {
    id: resultId(key),
    role: 'tool',
    toolCallId: key,
    content,
    ...(error && { error: error.message }),
    ...errorMetadata(error),
  }
}

/** Returns the reason of a failed call as metadata. Results in AG-UI's events have no field for it. */
export const errorMetadata = (error: Failure | undefined): { metadata?: Metadata } =>
  error ? { metadata: { error: { code: error.code, message: error.message } } } : {}

/** Returns the turn of a call: the beginning of its key. */
const turnOf = ({ key }: CallMessage): string => key.slice(0, key.indexOf('/'))

/** Returns the id of a turn's message, which also has the calls of the turn. */
export const textId = (turn: number | string): string => `${turn}/text`
/** Returns the id of the reasoning, from that of the turn's message. */
export const reasoningId = (text: string): string => text.replace(/text$/, 'reasoning')
export const resultId = (call: string): string => `${call}/result`

/** Returns the id of a user message: the client's own, if it sent one. */
export const saidId = ({ seq, key }: { readonly seq: number; readonly key?: string }): string => key ?? `said/${seq}`

type Part = Exclude<UserContent, string>[number]

/** Returns the content of a message for AG-UI. A single text becomes a string. */
export function toContent(content: UserContent): AgUiContent {
  if (typeof content === 'string') return content
  const [only, ...others] = content
  return only?.type === 'text' && others.length === 0 ? only.text : content.flatMap(toPart)
}

/** Returns a result of a tool for AG-UI: a text as it is, files as parts, and the rest as JSON. */
export function toResultContent(output: Json): AgUiContent {
  if (typeof output === 'string') return output
  const parts: readonly unknown[] = Array.isArray(output) ? output : []
  return parts.length > 0 && parts.every(isPart) ? toContent(parts) : JSON.stringify(output)
}

const isPart = (part: unknown): part is Part =>
  isObject(part) &&
  ((part.type === 'text' && typeof part.text === 'string') || (part.type === 'file' && isObject(part.data)))

function toPart(part: Part): AgUiPart[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text }]
  if (part.type !== 'file') return []
  const { data, mediaType } = part
  if (data.type === 'text') return [{ type: 'text', text: data.text }]
  const source = sourceOf(data, mediaType)
  return source ? [{ type: kindOf(mediaType), source }] : []
}

type Data = Extract<Part, { type: 'file' }>['data']

function sourceOf(data: Exclude<Data, { type: 'text' }>, mimeType: string): AgUiSource | undefined {
  switch (data.type) {
    case 'url':
      return { type: 'url', value: String(data.url), mimeType }
    case 'data':
      return typeof data.data === 'string' ? { type: 'data', value: data.data, mimeType } : undefined
    case 'reference': {
      const [[provider, value] = []] = Object.entries(data.reference)
      return provider && value ? { type: 'file', value, provider, mimeType } : undefined
    }
  }
}

const kindOf = (mediaType: string): 'image' | 'audio' | 'video' | 'document' => {
  const [kind] = mediaType.split('/')
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'document'
}

/** Returns the content of a client's message for a run. */
export function fromContent(content: AgUiContent): UserContent {
  if (typeof content === 'string') return content
  return plainContent(content.map((part) => (part.type === 'text' ? { type: 'text', text: part.text } : fileOf(part))))
}

/** The media types of files for which the client names none. */
const anyOf = { image: 'image', audio: 'audio', video: 'video', document: 'application/pdf' } as const

function fileOf({ type, source }: Exclude<AgUiPart, { type: 'text' }>) {
  const { value, mimeType: mediaType = anyOf[type] } = source
  const data = source.type === 'file' ? { [source.provider ?? 'unknown']: value } : value
  return file(data, mediaType)
}
