import { toMessages } from '../../message.ts'
import { messageText } from '../../part.ts'
import type { RunContext } from '../../run.ts'
import { type Call, type Entry, itemAt, lengthOf, type RunState } from '../../state.ts'
import type { Usage } from '../../usage.ts'
import { estimateMessages, estimateText, type Message } from './estimate.ts'
import { cutResults, cutText, marked, markOf, transcript } from './text.ts'

/** Shortens the old part of a conversation. Providers must accept the result: whole groups, in order. */
export interface CompactionStrategy {
  readonly name: string
  shorten(old: OldPart, run: RunContext): Shortened | PromiseLike<Shortened>
}

/** The part to shorten. All token counts are estimates. */
export interface OldPart {
  readonly segments: readonly Segment[]
  /** The user's first request, and the current one if it is old already. They must not be lost. */
  readonly requests: ReadonlySet<Segment>
  /** The user's latest message, as text. */
  readonly request: string
  /** The maximum tokens of the result. */
  readonly budget: number
  /** The model's token limit. */
  readonly contextWindow: number
}

export interface Shortened {
  readonly messages: readonly Message[]
  /** The usage of a model that made it, unless it is in the log already. */
  readonly usage?: Usage
  /** The strategy that made it, if one chose among others. */
  readonly strategy?: string
}

/** Messages that must stay together, such as a call and its result, or reasoning and its call. */
export interface Segment {
  readonly kind: 'system' | 'request' | 'reminder' | 'turn' | 'summary' | 'omission'
  readonly messages: readonly Message[]
  /** Estimated. */
  readonly tokens: number
  /** The number of history entries in it. 0 for a part of an entry, or a rest of an earlier compaction. */
  readonly entries: number
}

/** Returns everything in the current prompt, in order, except pending messages. */
export function segmentsOf({ history, compacted }: RunState): readonly Segment[] {
  const segments = [...split(compacted?.messages ?? [])]
  const end = lengthOf(history)
  for (let index = compacted?.from ?? 0; index < end; index++) {
    const entry = itemAt(history, index)
    if (entry) segments.push(...fromEntry(entry))
  }
  return tied(segments)
}

function fromEntry(entry: Entry): readonly Segment[] {
  const messages = toMessages(entry)
  if (entry.type === 'messages') return split(messages)
  const mark = entry.type === 'said' ? entry.by === 'agent' && 'reminder' : entry.calls.some(hasAsked) && 'asked'
  return [toSegment(mark ? messages.map((message) => marked(message, { kind: mark })) : messages, 1)]
}

/** Returns true if users were asked during the call. Results of its `once` are not replies. */
const hasAsked = ({ notes = {} }: Call): boolean => Object.keys(notes).some((key) => !key.includes('/once/'))

/** Splits messages into groups. A result follows its call, so it never starts a group. */
function split(messages: readonly Message[]): readonly Segment[] {
  const groups: Message[][] = []
  for (const message of messages) {
    if (message.role === 'tool' && groups.length > 0) groups.at(-1)?.push(message)
    else groups.push([message])
  }
  return groups.map((group) => toSegment(group, 0))
}

const toSegment = (messages: readonly Message[], entries: number): Segment => ({
  kind: kindOf(messages[0]),
  messages,
  tokens: estimateMessages(messages),
  entries,
})

function kindOf(first: Message | undefined): Segment['kind'] {
  if (first?.role !== 'user') return first?.role === 'system' ? 'system' : 'turn'
  const kind = markOf(first)?.kind
  return kind === undefined || kind === 'asked' ? 'request' : kind
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
  readonly asked: readonly string[]
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
  return { asked: [...asked], answered }
}

function joinSegments(segments: readonly Segment[]): Segment {
  return {
    kind: 'turn',
    messages: segments.flatMap(({ messages }) => messages),
    tokens: segments.reduce((sum, { tokens }) => sum + tokens, 0),
    entries: segments.every(({ entries }) => entries > 0) ? segments.reduce((sum, { entries }) => sum + entries, 0) : 0,
  }
}

/** Returns a summary as a message for the model. */
export const summaryMessage = (text: string): Message =>
  marked({ role: 'user', content: [{ type: 'text', text: `${summaryHead}\n\n${text}` }] }, { kind: 'summary' })

const summaryHead =
  'This summary stands for the earlier part of the conversation. It tells what happened and asks for nothing by itself.'

/** Returns a message that says how much is omitted there. */
export function omissionMessage({ turns, messages }: { turns: number; messages: number }): Message {
  const counts = [countOf(turns, 'turn'), countOf(messages, 'message')].filter(Boolean).join(' and ')
  const text = `[Left out here: ${counts || 'the earlier part of the conversation'}.]`
  return marked({ role: 'user', content: [{ type: 'text', text }] }, { kind: 'omission', turns, messages })
}

const countOf = (count: number, noun: string): string =>
  count === 0 ? '' : `${count} earlier ${noun}${count === 1 ? '' : 's'}`

/** The prompt, split into an old part to shorten and a recent part that stays. */
interface Parts {
  readonly old: Pick<OldPart, 'segments' | 'requests' | 'request'>
  readonly recent: readonly Segment[]
  /** The latest turn with cut results, if it is too long. */
  readonly cut: readonly Message[]
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
  const shortened = { ...requestsOf(state, segments), segments: old }
  if (excess <= 0) return { old: shortened, recent, cut: [] }
  const messages = recent.flatMap((segment) => segment.messages)
  return { old: shortened, recent: [], cut: cutResults(messages, excess) }
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
  const shown = [first, said ? undefined : last].filter((segment) => segment !== undefined)
  return { requests: new Set(shown), request: transcript([{ messages }], 0) }
}

/** Tokens to spare for the note about one gap. */
export const noteTokens = 24

/** Returns an old part with short requests and summaries, which are pinned, and the budget that remains. */
export function pinRequests({
  segments,
  requests,
  budget,
}: OldPart): Pick<OldPart, 'segments'> & { readonly pinned: ReadonlySet<Segment>; readonly room: number } {
  const pinned = new Set<Segment>()
  const cut = segments.map((segment) => {
    if (!requests.has(segment) && segment.kind !== 'summary' && segment.kind !== 'system') return segment
    const short = cutSegment(segment, Math.floor(budget / 4))
    pinned.add(short)
    return short
  })
  const taken = [...pinned].reduce((sum, { tokens }) => sum + tokens, 0)
  return { segments: cut, pinned, room: budget - taken - 2 * noteTokens }
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
export function omit(segments: readonly Segment[], isKept: (segment: Segment) => boolean): readonly Message[] {
  const messages: Message[] = []
  let gap: Gap | undefined
  for (const segment of segments) {
    if (!isKept(segment)) {
      gap = withOmitted(gap, segment)
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
function withOmitted({ turns, messages }: Gap = { turns: 0, messages: 0 }, segment: Segment): Gap {
  const first = segment.messages[0]
  if (!first) return { turns, messages }
  const mark = markOf(first)
  if (mark?.kind === 'omission') return { turns: turns + mark.turns, messages: messages + mark.messages }
  return segment.kind === 'turn' ? { turns: turns + 1, messages } : { turns, messages: messages + 1 }
}
