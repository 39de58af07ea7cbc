import { fromJson } from '../../json.ts'
import { resultText } from '../../part.ts'
import { type ContentPart, estimateText, type Message } from './tokens.ts'

/** Formats messages as text, without reasoning. `perResult` is the maximum tokens of each result. */
export const transcript = (messages: readonly Message[], perResult: number = Number.POSITIVE_INFINITY): string =>
  messages.map((message) => textOf(message, perResult)).join('\n')

function textOf(message: Message, perResult: number): string {
  if (message.role === 'system') return `System: ${message.content}`
  const speaker = speakerOf(message)
  return message.content
    .map((part) => partOf(part, perResult))
    .filter((text) => text !== '')
    .map((text, index) => (index === 0 && speaker ? `${speaker}: ${text}` : text))
    .join('\n')
}

/** Introduces an earlier summary to the model that writes the next one. */
export const earlierSummary = 'Summary of what went before'

function speakerOf(message: Message): string {
  if (message.role !== 'user') return message.role === 'assistant' ? 'Assistant' : ''
  const kind = markOf(message)?.kind
  return kind === undefined ? 'User' : kind === 'summary' ? earlierSummary : 'Note'
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
      return `[result of ${part.toolName}: ${cutText(resultText(part.output), perResult)}]`
    case 'tool-approval-response':
      return `[${part.approved ? 'allowed' : 'refused'}]`
    default:
      return ''
  }
}

/** Cuts a text to this number of tokens: its beginning, slightly less of its end, and a mark between. */
export function cutText(text: string, tokens: number): string {
  const all = estimateText(text)
  if (all <= tokens) return text
  let characters = Math.floor((text.length * Math.max(0, tokens - markTokens)) / all)
  for (;;) {
    const head = Math.floor(characters * 0.6)
    const tail = text.length - (characters - head)
    const cut = `${whole(text, 0, head)}\n[… about ${all - tokens} tokens omitted …]\n${whole(text, tail, text.length)}`
    if (estimateText(cut) <= tokens || !(characters > 0)) return cut
    characters = Math.floor(characters * 0.8)
  }
}

const markTokens = 16

/** Splits a text into parts of at most this number of tokens, at line ends if possible. */
export function splitText(text: string, tokens: number): readonly string[] {
  const middle = Math.floor(text.length / 2)
  if (middle === 0 || estimateText(text) <= tokens) return [text]
  const line = text.lastIndexOf('\n', middle)
  const first = whole(text, 0, line > middle / 2 ? line + 1 : middle)
  return [...splitText(first, tokens), ...splitText(text.slice(first.length), tokens)]
}

/** Returns a part of a text without half characters at its ends. */
function whole(text: string, from: number, to: number): string {
  const start = isLow(text.charCodeAt(from)) ? from + 1 : from
  const end = to > start && to < text.length && isLow(text.charCodeAt(to)) ? to - 1 : to
  return text.slice(start, end)
}

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

/** Marks a user message that no user wrote, where providers ignore it, so that a later compaction recognizes it. */
interface Mark {
  readonly kind: 'reminder' | 'summary' | 'omission'
  /** The number of omitted segments. */
  readonly omitted?: number
}

export const marked = (message: Message, mark: Mark): Message => ({
  ...message,
  providerOptions: { ...message.providerOptions, interleave: { ...mark } },
})

export function markOf({ providerOptions }: Message): Mark | undefined {
  const mark = providerOptions?.interleave
  return typeof mark?.kind === 'string' ? fromJson<Mark>(mark) : undefined
}
