import type { LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'
import { AgentError } from '../error.ts'
import { isObject, type Json, toJson } from '../json.ts'
import { fileAdvice, readFilePart } from '../part.ts'
import { isResult } from '../plainContent.ts'

/**
 * Converts a tool's model output to the model interface's format, so that a log can store it. Older names of files and
 * images, which AI SDK tools may still return, become parts of type `file`.
 */
export function modelOutput(tool: string, given: unknown): LanguageModelV4ToolResultOutput {
  const plain = toJson(given)
  const output =
    isObject(plain) && Array.isArray(plain.value) && plain.type === 'content'
      ? { ...plain, value: plain.value.map((part) => readable(tool, asFile(part))) }
      : plain
  if (isResult(output)) return output as unknown as LanguageModelV4ToolResultOutput
  throw new AgentError(
    'tool_failed',
    `The toModelOutput of "${tool}" gave nothing that a model can be given. Give { type, value } of type text, json or content.`,
  )
}

function readable(tool: string, part: Json): Json {
  const read = readFilePart(part)
  if (read !== undefined) return toJson(read)
  throw new AgentError(
    'tool_failed',
    `The toModelOutput of "${tool}" gave a file that cannot be read. Give ${fileAdvice}.`,
  )
}

function asFile(part: Json): Json {
  if (!isObject(part)) return part
  const { type, data, url, fileId, providerReference, mediaType, ...others } = part
  const media = mediaType ?? (String(type).startsWith('image') ? 'image' : 'application')
  const file = (content: Json): Json => ({ ...others, type: 'file', mediaType: media, data: content })
  switch (type) {
    case 'file-data':
    case 'image-data':
      return file({ type: 'data', data: data ?? null })
    case 'file-url':
    case 'image-url':
      return file({ type: 'url', url: url ?? null })
    case 'file-id':
    case 'image-file-id':
      return isObject(fileId) ? file({ type: 'reference', reference: fileId }) : part
    case 'file-reference':
    case 'image-file-reference':
      return file({ type: 'reference', reference: providerReference ?? null })
    default:
      return part
  }
}
