import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { cutText } from './cutText.ts'
import { estimateText } from './estimate.ts'
import { outputText } from './transcript.ts'

type Message = LanguageModelV4Message
type ToolPart = Extract<Message, { role: 'tool' }>['content'][number]

/** Makes the results in these messages so many tokens shorter: the longest are cut in their middle, all to the same length. */
export function cutResults(messages: readonly Message[], excess: number): readonly Message[] {
  const parts = messages.flatMap((message) => (message.role === 'tool' ? message.content : []))
  const longest = capFor(parts.map(tokensOf), excess)
  const cut = (part: ToolPart): ToolPart => (tokensOf(part) > longest ? cutResult(part, longest) : part)
  return messages.map((message) =>
    message.role === 'tool' ? { ...message, content: message.content.map(cut) } : message,
  )
}

const tokensOf = (part: ToolPart): number => (part.type === 'tool-result' ? estimateText(outputText(part.output)) : 0)

function cutResult(part: ToolPart, tokens: number): ToolPart {
  if (part.type !== 'tool-result') return part
  const failed = part.output.type === 'error-text' || part.output.type === 'error-json'
  const value = cutText(outputText(part.output), tokens)
  return { ...part, output: { type: failed ? 'error-text' : 'text', value } }
}

/** The length to which results are cut, so that together they lose so much. */
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
