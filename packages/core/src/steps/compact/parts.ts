import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { toMessages } from '../../message.ts'
import { messageText } from '../../part.ts'
import type { RunState } from '../../state.ts'
import { estimateMessages, estimateText } from './estimate.ts'
import { markOf, type OldPart, omissionMessage, type Piece } from './strategy.ts'
import { cutResults, cutText, transcript } from './text.ts'

/** The prompt, split into an old part to shorten and a recent part that stays. */
interface Parts {
  readonly old: Pick<OldPart, 'pieces' | 'requests' | 'request'>
  readonly recent: readonly Piece[]
  /** The latest turn with cut results, if it is too long. */
  readonly cut: readonly LanguageModelV4Message[]
}

interface Cutting {
  readonly pieces: readonly Piece[]
  /** The number of entries that should stay. */
  readonly keep: number
  /** Their maximum tokens, without the latest turn. */
  readonly most: number
  /** The maximum tokens of the latest turn. */
  readonly room: number
}

export function partsOf(state: RunState, { pieces, keep, most, room }: Cutting): Parts {
  const latest = latestOf(pieces)
  const excess = tokensOf(pieces.slice(latest)) - room
  const start = excess > 0 ? latest : recentFrom(pieces, { latest, keep, most })
  const old = pieces.slice(0, start).filter(({ messages }) => messages.length > 0)
  const recent = pieces.slice(start)
  const asked = { ...requestsOf(state, pieces), pieces: old }
  if (excess <= 0) return { old: asked, recent, cut: [] }
  return {
    old: asked,
    recent: [],
    cut: cutResults(
      recent.flatMap(({ messages }) => messages),
      excess,
    ),
  }
}

export const tokensOf = (pieces: readonly Piece[]): number => pieces.reduce((sum, { tokens }) => sum + tokens, 0)

/** Returns the start of the latest turn, whose results the model may not have read. Failed turns do not count. */
function latestOf(pieces: readonly Piece[]): number {
  const said = pieces.findLastIndex(({ messages }) => messages.length > 0)
  const { kind, entries } = pieces[said] ?? { kind: 'request', entries: 0 }
  return kind === 'turn' && entries > 0 ? said : pieces.length
}

function recentFrom(
  pieces: readonly Piece[],
  { latest, keep, most }: Pick<Cutting, 'keep' | 'most'> & { latest: number },
): number {
  let start = latest
  let entries = pieces.slice(latest).reduce((sum, piece) => sum + piece.entries, 0)
  let tokens = tokensOf(pieces.slice(latest))
  for (let piece = pieces[start - 1]; piece && piece.entries > 0; piece = pieces[start - 1]) {
    entries += piece.entries
    tokens += piece.tokens
    if (entries > keep || tokens > most) break
    start--
  }
  return start
}

/** Returns the user's first request, and the current one unless it is still pending. */
function requestsOf({ pending }: RunState, pieces: readonly Piece[]): Pick<OldPart, 'requests' | 'request'> {
  const requests = pieces.filter(({ kind }) => kind === 'request')
  const [first] = requests
  const last = requests.at(-1)
  const said = pending.findLast(({ by }) => by === 'user')
  const messages = said ? toMessages(said) : (last?.messages ?? [])
  const pinned = [first, said ? undefined : last].filter((piece) => piece !== undefined)
  return { requests: new Set(pinned), request: transcript([{ messages }], 0) }
}

type Message = LanguageModelV4Message

/** Tokens to spare for the note about one gap. */
export const noteTokens = 24

/** An old part whose requests and summaries take a quarter of the budget each at most, and what is left for the rest. */
interface Framed {
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

/** Cuts a user message to this number of tokens. Files that do not fit are only named. */
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
  const words = messageText(message.content)
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
