import { messageText } from '../../part.ts'
import type { CompactionStrategy } from './pipeline.ts'
import { type Segment, tokensOf, toSegment, withMessages } from './segment.ts'
import { cutText, marked, markOf } from './text.ts'
import { estimateMessages, estimateText, type Message } from './tokens.ts'

/** Omits the oldest turns and messages, and says how many. The user's request and earlier summaries stay. */
export const dropTurns = (): CompactionStrategy => ({
  name: 'dropTurns',
  shorten(given, { budget }) {
    const { segments, room } = cutPinned(given, budget)
    const kept: Segment[] = []
    let left = room
    let omitted = 0
    for (const segment of segments.toReversed()) {
      if (!segment.pinned) left -= segment.tokens
      if (!segment.pinned && left < 0) {
        omitted += countOf(segment)
        continue
      }
      if (omitted > 0) kept.push(omission(omitted))
      omitted = 0
      kept.push(segment)
    }
    if (omitted > 0) kept.push(omission(omitted))
    return kept.reverse()
  },
})

/** Tokens to spare for a note about omitted messages. */
const noteTokens = 24
/** The tokens that a user's message keeps at least: what a shorter one saves is little more than the mark of its cut. */
const leastPinned = 64

/** Returns the segments with short pinned ones, and the budget that remains for the others. */
export function cutPinned(
  given: readonly Segment[],
  budget: number,
): { readonly segments: readonly Segment[]; readonly room: number } {
  const most = Math.max(leastPinned, Math.floor(budget / 4))
  const segments = given.map((segment) => (segment.pinned ? cutSegment(segment, most) : segment))
  const taken = tokensOf(segments.filter(({ pinned }) => pinned))
  return { segments, room: budget - taken - 2 * noteTokens }
}

/** Cuts a user message to this number of tokens. Files that do not fit are only named. */
const cutSegment = (segment: Segment, tokens: number): Segment =>
  segment.tokens <= tokens
    ? segment
    : withMessages(
        segment,
        segment.messages.map((message) => cutMessage(message, tokens)),
      )

function cutMessage(message: Message, tokens: number): Message {
  if (message.role === 'system') return { ...message, content: cutText(message.content, tokens) }
  if (message.role !== 'user') return message
  const text = message.content
    .map((part) => (part.type === 'text' ? part.text : `[A file was here: ${part.filename ?? part.mediaType}]`))
    .join('\n')
  const files = message.content.filter((part) => part.type === 'file')
  const left = tokens - estimateMessages([{ ...message, content: files }])
  const words = messageText(message.content)
  if (left >= Math.min(tokens / 2, estimateText(words))) {
    return { ...message, content: [{ type: 'text', text: cutText(words, left) }, ...files] }
  }
  return { ...message, content: [{ type: 'text', text: cutText(text, tokens - 4) }] }
}

/** Returns the number of segments that it replaces, or 1 for any other. */
const countOf = ({ messages: [first] }: Segment): number => (first ? (markOf(first)?.omitted ?? 1) : 0)

/** Returns a note about omitted messages. */
export function omission(omitted: number): Segment {
  const count = omitted === 0 ? 'the earlier part of the conversation' : `${omitted} earlier messages`
  const text = `[Omitted here: ${omitted === 1 ? '1 earlier message' : count}.]`
  return toSegment([marked({ role: 'user', content: [{ type: 'text', text }] }, { kind: 'omission', omitted })])
}
