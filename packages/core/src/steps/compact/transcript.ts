import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { cutText } from './cutText.ts'
import { markOf } from './marks.ts'
import type { Piece } from './piece.ts'

type Message = LanguageModelV4Message
type ContentPart = Exclude<Message['content'], string>[number]

/**
 * Formats messages as text for an outside reader. `perResult` is the maximum tokens of each result. Reasoning is
 * omitted: it is long, and its outcome follows.
 */
export const transcript = (pieces: readonly Pick<Piece, 'messages'>[], perResult: number): string =>
  pieces.flatMap(({ messages }) => messages.map((message) => textOf(message, perResult))).join('\n')

function textOf(message: Message, perResult: number): string {
  if (message.role === 'system') return `System: ${message.content}`
  const speaker = speakerOf(message)
  return message.content
    .map((part) => partOf(part, perResult))
    .filter((text) => text !== '')
    .map((text, index) => (index === 0 && speaker ? `${speaker}: ${text}` : text))
    .join('\n')
}

function speakerOf(message: Message): string {
  if (message.role !== 'user') return message.role === 'assistant' ? 'Assistant' : ''
  const kind = markOf(message)?.kind
  if (kind === 'summary') return 'Summary of what went before'
  return kind === 'reminder' || kind === 'omission' ? 'Note' : 'User'
}

function partOf(part: ContentPart, perResult: number): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'file':
    case 'reasoning-file':
      return `[file: ${('filename' in part && part.filename) || part.mediaType}]`
    case 'tool-call':
      return `[calls ${part.toolName} with ${cutText(JSON.stringify(part.input) ?? '', perResult)}]`
    case 'tool-result':
      return `[result of ${part.toolName}: ${cutText(outputText(part.output), perResult)}]`
    case 'tool-approval-response':
      return `[${part.approved ? 'allowed' : 'refused'}]`
    case 'reasoning':
    case 'custom':
      return ''
  }
}

/** A result as text. */
export function outputText(output: Extract<ContentPart, { type: 'tool-result' }>['output']): string {
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
