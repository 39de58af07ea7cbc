import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { toMessages } from '../../message.ts'
import { messageText } from '../../part.ts'
import type { RunState } from '../../state.ts'
import { estimateMessages, estimateText } from './estimate.ts'
import { markOf, type OldPart, omissionMessage, type Segment } from './strategy.ts'
import { cutResults, cutText, transcript } from './text.ts'

/** The prompt, split into an old part to shorten and a recent part that stays. */
interface Parts {
  readonly old: Pick<OldPart, 'segments' | 'requests' | 'request'>
  readonly recent: readonly Segment[]
  /** The latest turn with cut results, if it is too long. */
  readonly cut: readonly LanguageModelV4Message[]
}

interface Cutting {
  readonly segments: readonly Segment[]
  /** The number of entries that should stay. */
  readonly keep: number
  /** Their maximum tokens, without the latest turn. */
  readonly most: number
  /** The maximum tokens of the latest turn. */
  readonly room: number
}

export function partsOf(state: RunState, { segments, keep, most, room }: Cutting): Parts {
  const latest = latestOf(segments)
  const excess = tokensOf(segments.slice(latest)) - room
  const start = excess > 0 ? latest : recentFrom(segments, { latest, keep, most })
  const old = segments.slice(0, start).filter(({ messages }) => messages.length > 0)
  const recent = segments.slice(start)
  const asked = { ...requestsOf(state, segments), segments: old }
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

export const tokensOf = (segments: readonly Segment[]): number => segments.reduce((sum, { tokens }) => sum + tokens, 0)

/** Returns the start of the latest turn, whose results the model may not have read. Failed turns do not count. */
function latestOf(segments: readonly Segment[]): number {
  const said = segments.findLastIndex(({ messages }) => messages.length > 0)
  const { kind, entries } = segments[said] ?? { kind: 'request', entries: 0 }
  return kind === 'turn' && entries > 0 ? said : segments.length
}

function recentFrom(
  segments: readonly Segment[],
  { latest, keep, most }: Pick<Cutting, 'keep' | 'most'> & { latest: number },
): number {
  let start = latest
  let entries = segments.slice(latest).reduce((sum, segment) => sum + segment.entries, 0)
  let tokens = tokensOf(segments.slice(latest))
  for (let segment = segments[start - 1]; segment && segment.entries > 0; segment = segments[start - 1]) {
    entries += segment.entries
    tokens += segment.tokens
    if (entries > keep || tokens > most) break
    start--
  }
  return start
}

/** Returns the user's first request, and the current one unless it is still pending. */
function requestsOf({ pending }: RunState, segments: readonly Segment[]): Pick<OldPart, 'requests' | 'request'> {
  const requests = segments.filter(({ kind }) => kind === 'request')
  const [first] = requests
  const last = requests.at(-1)
  const said = pending.findLast(({ by }) => by === 'user')
  const messages = said ? toMessages(said) : (last?.messages ?? [])
  const pinned = [first, said ? undefined : last].filter((segment) => segment !== undefined)
  return { requests: new Set(pinned), request: transcript([{ messages }], 0) }
}

type Message = LanguageModelV4Message

/** Tokens to spare for the note about one gap. */
export const noteTokens = 24

/** An old part whose requests and summaries take a quarter of the budget each at most, and the budget that remains. */
interface Framed {
  readonly segments: readonly Segment[]
  readonly fixed: ReadonlySet<Segment>
  readonly room: number
}

export function framed({ segments, requests, budget }: OldPart): Framed {
  const fixed = new Set<Segment>()
  const cut = segments.map((segment) => {
    if (!requests.has(segment) && segment.kind !== 'summary' && segment.kind !== 'system') return segment
    const short = cutSegment(segment, Math.floor(budget / 4))
    fixed.add(short)
    return short
  })
  const taken = [...fixed].reduce((sum, { tokens }) => sum + tokens, 0)
  return { segments: cut, fixed, room: budget - taken - 2 * noteTokens }
}

/** Cuts a user message to this number of tokens. Files that do not fit are only named. */
function cutSegment(segment: Segment, tokens: number): Segment {
  if (segment.tokens <= tokens) return segment
  const messages = segment.messages.map((message) => cutMessage(message, tokens))
  return { ...segment, messages, tokens: estimateMessages(messages) }
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
export function leaveOut(segments: readonly Segment[], isKept: (segment: Segment) => boolean): readonly Message[] {
  const messages: Message[] = []
  let gap: Gap | undefined
  for (const segment of segments) {
    if (!isKept(segment)) {
      gap = widened(gap, segment)
      continue
    }
    if (gap) messages.push(omissionMessage(gap))
    gap = undefined
    messages.push(...segment.messages)
  }
  if (gap) messages.push(omissionMessage(gap))
  return messages
}

interface Gap {
  readonly turns: number
  readonly messages: number
}

/** Merges notes of earlier gaps into the new one. */
function widened({ turns, messages }: Gap = { turns: 0, messages: 0 }, segment: Segment): Gap {
  const first = segment.messages[0]
  if (!first) return { turns, messages }
  const mark = markOf(first)
  if (mark?.kind === 'omission') return { turns: turns + mark.turns, messages: messages + mark.messages }
  return segment.kind === 'turn' ? { turns: turns + 1, messages } : { turns, messages: messages + 1 }
}
