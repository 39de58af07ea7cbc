import { toMessages } from '../../message.ts'
import { type Entry, itemAt, lengthOf, type RunState } from '../../state.ts'
import { marked, markOf } from './text.ts'
import { estimateMessages, type Message } from './tokens.ts'

/** Messages that must stay together, such as a call and its result, or reasoning and its call. */
export interface Segment {
  readonly kind: 'system' | 'request' | 'reminder' | 'turn' | 'summary' | 'omission'
  readonly messages: readonly Message[]
  /** Estimated. */
  readonly tokens: number
  /** The number of history entries in it. 0 for a part of an entry, or a rest of an earlier compaction. */
  readonly entries: number
  /** Set for instructions, summaries, the user's first request and the current one. They must not be lost. */
  readonly pinned?: true
  /** The messages before their results were cut, for a summary. */
  readonly uncut?: readonly Message[]
}

/** Returns everything in the current prompt, in order, except pending messages. */
export function segmentsOf({ history, compacted, pending }: RunState): readonly Segment[] {
  const segments = [...split(compacted?.messages ?? [])]
  const end = lengthOf(history)
  for (let index = compacted?.from ?? 0; index < end; index++) {
    const entry = itemAt(history, index)
    if (entry) segments.push(...fromEntry(entry))
  }
  return pinned(
    tied(segments),
    pending.some(({ by }) => by === 'user'),
  )
}

function fromEntry(entry: Entry): readonly Segment[] {
  const messages = toMessages(entry)
  if (entry.type === 'messages') return split(messages)
  const isReminder = entry.type === 'said' && entry.by === 'agent'
  return [toSegment(isReminder ? messages.map((message) => marked(message, { kind: 'reminder' })) : messages, 1)]
}

/** Splits messages into segments. A result follows its call, so it never starts one. */
function split(messages: readonly Message[]): readonly Segment[] {
  const groups: Message[][] = []
  for (const message of messages) {
    if (message.role === 'tool' && groups.length > 0) groups.at(-1)?.push(message)
    else groups.push([message])
  }
  return groups.map((group) => toSegment(group))
}

export const toSegment = (messages: readonly Message[], entries = 0): Segment => ({
  kind: kindOf(messages[0]),
  messages,
  tokens: estimateMessages(messages),
  entries,
})

function kindOf(first: Message | undefined): Segment['kind'] {
  if (first?.role !== 'user') return first?.role === 'system' ? 'system' : 'turn'
  return markOf(first)?.kind ?? 'request'
}

/** Returns the segment with other messages. */
export const withMessages = (segment: Omit<Segment, 'tokens'>, messages: readonly Message[]): Segment => ({
  ...segment,
  messages,
  tokens: estimateMessages(messages),
})

export const tokensOf = (segments: readonly Segment[]): number => segments.reduce((sum, { tokens }) => sum + tokens, 0)

export const messagesIn = (segments: readonly Segment[]): Message[] => segments.flatMap(({ messages }) => messages)

/** Pins the first request, and the last one unless a user's message is pending, which then is the current one. */
function pinned(segments: readonly Segment[], isAsked: boolean): readonly Segment[] {
  const first = segments.findIndex(({ kind }) => kind === 'request')
  const last = isAsked ? -1 : segments.findLastIndex(({ kind }) => kind === 'request')
  return segments.map((segment, index) => {
    const stays = index === first || index === last || segment.kind === 'system' || segment.kind === 'summary'
    return stays ? { ...segment, pinned: true } : segment
  })
}

/** Joins each of the provider's own calls to the later turn with its result. */
function tied(segments: readonly Segment[]): readonly Segment[] {
  const joined: Segment[] = []
  const open = new Map<string, number>()
  for (const segment of segments) {
    const { asked, answered } = ofProvider(segment)
    const from = Math.min(...answered.map((id) => open.get(id) ?? Number.POSITIVE_INFINITY))
    if (from < joined.length) joined.push(joinSegments([...joined.splice(from), segment]))
    else joined.push(segment)
    for (const id of answered) open.delete(id)
    for (const [id, index] of open) if (index >= joined.length) open.set(id, joined.length - 1)
    for (const id of asked) open.set(id, joined.length - 1)
  }
  return joined
}

/** Returns the provider calls that this group leaves open, and the results for calls outside of it. */
function ofProvider({ messages }: Segment): {
  readonly asked: Iterable<string>
  readonly answered: readonly string[]
} {
  const asked = new Set<string>()
  const answered: string[] = []
  for (const message of messages) {
    if (message.role !== 'assistant') continue
    for (const part of message.content) {
      if (part.type === 'tool-call' && part.providerExecuted) asked.add(part.toolCallId)
      if (part.type === 'tool-result' && !asked.delete(part.toolCallId)) answered.push(part.toolCallId)
    }
  }
  return { asked, answered }
}

const joinSegments = (segments: readonly Segment[]): Segment => ({
  kind: 'turn',
  messages: messagesIn(segments),
  tokens: tokensOf(segments),
  entries: segments.every(({ entries }) => entries > 0) ? entriesIn(segments) : 0,
})

export const entriesIn = (segments: readonly Segment[]): number =>
  segments.reduce((sum, { entries }) => sum + entries, 0)

export interface Cutting {
  /** The number of entries that should stay. */
  readonly keep: number
  /** Their maximum tokens, without the latest turn. */
  readonly most: number
  /** The maximum tokens of the latest turn. */
  readonly room: number
}

/** Splits the prompt into an old part to shorten, and a recent part that stays: at least the latest turn. */
export function partsOf(
  segments: readonly Segment[],
  { keep, most, room }: Cutting,
): { readonly old: readonly Segment[]; readonly recent: readonly Segment[]; readonly excess: number } {
  const latest = latestOf(segments)
  const excess = tokensOf(segments.slice(latest)) - room
  const start = excess > 0 ? latest : recentFrom(segments, { latest, keep, most })
  return {
    old: segments.slice(0, start).filter(({ messages }) => messages.length > 0),
    recent: segments.slice(start),
    excess,
  }
}

/** Returns the start of the latest turn, whose results the model may not have read. Failed turns do not count. */
function latestOf(segments: readonly Segment[]): number {
  const said = segments.findLastIndex(({ messages }) => messages.length > 0)
  const { kind, entries } = segments[said] ?? { kind: 'request', entries: 0 }
  return kind === 'turn' && entries > 0 ? said : segments.length
}

function recentFrom(
  segments: readonly Segment[],
  { latest, keep, most }: Pick<Cutting, 'keep' | 'most'> & { readonly latest: number },
): number {
  const kept = segments.slice(latest)
  let start = latest
  let entries = entriesIn(kept)
  let tokens = tokensOf(kept)
  for (let segment = segments[start - 1]; segment && segment.entries > 0; segment = segments[start - 1]) {
    entries += segment.entries
    tokens += segment.tokens
    if (entries > keep || tokens > most) break
    start--
  }
  return start
}
