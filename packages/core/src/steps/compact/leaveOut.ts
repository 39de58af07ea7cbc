import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { cutText } from './cutText.ts'
import { estimateMessages, estimateText } from './estimate.ts'
import { markOf, omissionMessage } from './marks.ts'
import type { Piece } from './piece.ts'
import type { OldPart } from './strategy.ts'

type Message = LanguageModelV4Message

/** Tokens to spare for the note about one gap. */
export const noteTokens = 24

/** An old part whose requests and summaries take a quarter of the budget each at most, and what is left for the rest. */
export interface Framed {
  readonly pieces: readonly Piece[]
  readonly fixed: ReadonlySet<Piece>
  readonly room: number
}

export function framed({ pieces, requests, budget }: OldPart): Framed {
  const fixed = new Set<Piece>()
  const cut = pieces.map((piece) => {
    if (!requests.has(piece) && piece.kind !== 'summary' && piece.kind !== 'system') return piece
    const short = cutPiece(piece, Math.floor(budget / 4))
    fixed.add(short)
    return short
  })
  const taken = [...fixed].reduce((sum, { tokens }) => sum + tokens, 0)
  return { pieces: cut, fixed, room: budget - taken - 2 * noteTokens }
}

/** A message of the user in so many tokens at most. Files that are too much are named only. */
function cutPiece(piece: Piece, tokens: number): Piece {
  if (piece.tokens <= tokens) return piece
  const messages = piece.messages.map((message) => cutMessage(message, tokens))
  return { ...piece, messages, tokens: estimateMessages(messages) }
}

function cutMessage(message: Message, tokens: number): Message {
  if (message.role === 'system') return { ...message, content: cutText(message.content, tokens) }
  if (message.role !== 'user') return message
  const text = message.content
    .map((part) => (part.type === 'text' ? part.text : `[A file was here: ${part.filename ?? part.mediaType}]`))
    .join('\n')
  const files = message.content.filter((part) => part.type === 'file')
  const left = tokens - estimateMessages([{ ...message, content: files }])
  const words = message.content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n')
  if (left >= Math.min(tokens / 2, estimateText(words))) {
    return { ...message, content: [{ type: 'text', text: cutText(words, left) }, ...files] }
  }
  return { ...message, content: [{ type: 'text', text: cutText(text, tokens - 4) }] }
}

/** Returns the messages that stay, with a note about the size of each gap. */
export function leaveOut(pieces: readonly Piece[], isKept: (piece: Piece) => boolean): readonly Message[] {
  const messages: Message[] = []
  let gap: Gap | undefined
  for (const piece of pieces) {
    if (!isKept(piece)) {
      gap = widened(gap, piece)
      continue
    }
    if (gap) messages.push(omissionMessage(gap))
    gap = undefined
    messages.push(...piece.messages)
  }
  if (gap) messages.push(omissionMessage(gap))
  return messages
}

interface Gap {
  readonly turns: number
  readonly messages: number
}

/** Notes of earlier gaps are part of the new one. */
function widened({ turns, messages }: Gap = { turns: 0, messages: 0 }, piece: Piece): Gap {
  const first = piece.messages[0]
  if (!first) return { turns, messages }
  const mark = markOf(first)
  if (mark?.kind === 'omission') return { turns: turns + mark.turns, messages: messages + mark.messages }
  return piece.kind === 'turn' ? { turns: turns + 1, messages } : { turns, messages: messages + 1 }
}
