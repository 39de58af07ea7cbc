import type { Json, UserContent } from '@interleave/core'
import { isObject, plainContent } from '@interleave/core/internal'
import type { AgUiContent, AgUiPart, AgUiSource } from '../protocol.ts'

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

/** Media types of files whose client names none. */
const anyOf = { image: 'image', audio: 'audio', video: 'video', document: 'application/pdf' } as const

function fileOf({ type, source }: Exclude<AgUiPart, { type: 'text' }>) {
  const { value, mimeType: mediaType = anyOf[type] } = source
  const data = source.type === 'file' ? { [source.provider ?? 'unknown']: value } : value
  return { type: 'file', mediaType, data } as const
}
