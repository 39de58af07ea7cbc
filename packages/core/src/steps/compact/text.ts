import { fromJson } from '../../json.ts'
import { type ContentPart, estimateText, type Message, type ResultPart } from './estimate.ts'

/** Formats messages as text, without reasoning. `perResult` is the maximum tokens of each result. */
export const transcript = (segments: readonly { readonly messages: readonly Message[] }[], perResult: number): string =>
  segments.flatMap(({ messages }) => messages.map((message) => textOf(message, perResult))).join('\n')

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
    default:
      return ''
  }
}

function outputText(output: ResultPart['output']): string {
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
  if (estimateText(text) <= tokens) return [text]
  const middle = Math.floor(text.length / 2)
  if (middle === 0) return [text]
  const line = text.lastIndexOf('\n', middle)
  const at = line > middle / 2 ? line + 1 : middle
  return [...splitText(whole(text, 0, at), tokens), ...splitText(text.slice(whole(text, 0, at).length), tokens)]
}

/** Returns a part of a text without half characters at its ends. */
function whole(text: string, from: number, to: number): string {
  const start = isLow(text.charCodeAt(from)) ? from + 1 : from
  const end = to > start && to < text.length && isLow(text.charCodeAt(to)) ? to - 1 : to
  return text.slice(start, end)
}

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

/** Shortens the results by this number of tokens: the longest are cut in the middle, to the same length. */
export function cutResults(messages: readonly Message[], excess: number): readonly Message[] {
  const tokensOf = ({ output }: ResultPart): number => estimateText(outputText(output))
  const parts = messages.flatMap((message) => (message.role === 'tool' ? message.content : []))
  const longest = capFor(
    parts.map((part) => (part.type === 'tool-result' ? tokensOf(part) : 0)),
    excess,
  )
  return withOutputs(messages, (part) =>
    tokensOf(part) > longest ? asText(part.output, cutText(outputText(part.output), longest)) : part.output,
  )
}

/** Returns the messages with other outputs of their calls. */
export const withOutputs = (
  messages: readonly Message[],
  change: (part: ResultPart) => ResultPart['output'],
): readonly Message[] =>
  messages.map((message) => {
    if (message.role !== 'tool') return message
    const changed = (part: (typeof message.content)[number]) =>
      part.type === 'tool-result' ? { ...part, output: change(part) } : part
    return { ...message, content: message.content.map(changed) }
  })

/** Returns a text in place of an output, which still says if the call failed. */
export const asText = ({ type }: ResultPart['output'], value: string): ResultPart['output'] => ({
  type: type === 'error-text' || type === 'error-json' ? 'error-text' : 'text',
  value,
})

/** Returns the length to which results are cut, so that together they lose this number of tokens. */
function capFor(tokens: readonly number[], excess: number): number {
  const sizes = tokens.toSorted((a, b) => b - a)
  let above = 0
  for (const [index, size] of sizes.entries()) {
    above += size
    const cap = Math.floor((above - excess) / (index + 1))
    if (cap >= (sizes[index + 1] ?? 0)) return Math.max(shortest, cap)
  }
  return shortest
}
const shortest = 200

/** Marks a message that compaction added, where providers ignore it, so that a later compaction recognizes it. */
type Mark =
  | { readonly kind: 'reminder' }
  | { readonly kind: 'asked' }
  | { readonly kind: 'summary' }
  | { readonly kind: 'omission'; readonly turns: number; readonly messages: number }

export const marked = <M extends Message>(message: M, mark: Mark): M => ({
  ...message,
  providerOptions: { ...message.providerOptions, interleave: { ...message.providerOptions?.interleave, ...mark } },
})

export function markOf({ providerOptions }: Message): Mark | undefined {
  const kind = providerOptions?.interleave?.kind
  return typeof kind === 'string' ? fromJson<Mark>(providerOptions?.interleave) : undefined
}
