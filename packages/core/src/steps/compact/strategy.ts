import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { fromJson } from '../../json.ts'
import { toMessages } from '../../message.ts'
import type { RunContext } from '../../run.ts'
import { type Call, type Entry, itemAt, lengthOf, type RunState } from '../../state.ts'
import type { Usage } from '../../usage.ts'
import { estimateMessages } from './estimate.ts'

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
  readonly messages: readonly LanguageModelV4Message[]
  /** The usage of a model that made it, unless it is in the log already. */
  readonly usage?: Usage
  /** The strategy that made it, if one chose among others. */
  readonly strategy?: string
}

type Message = LanguageModelV4Message

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
    const { asked, told } = ofProvider(segment)
    const from = Math.min(...told.map((id) => open.get(id) ?? Number.POSITIVE_INFINITY))
    if (from < joined.length) joined.push(joinSegments([...joined.splice(from), segment]))
    else joined.push(segment)
    for (const id of told) open.delete(id)
    for (const [id, index] of open) if (index >= joined.length) open.set(id, joined.length - 1)
    for (const id of asked) open.set(id, joined.length - 1)
  }
  return joined
}

/** Returns the provider calls that this group leaves open, and the results for calls outside of it. */
function ofProvider({ messages }: Segment): { readonly asked: readonly string[]; readonly told: readonly string[] } {
  const asked = new Set<string>()
  const told: string[] = []
  for (const message of messages) {
    if (message.role !== 'assistant') continue
    for (const part of message.content) {
      if (part.type === 'tool-call' && part.providerExecuted) asked.add(part.toolCallId)
      if (part.type === 'tool-result' && !asked.delete(part.toolCallId)) told.push(part.toolCallId)
    }
  }
  return { asked: [...asked], told }
}

function joinSegments(segments: readonly Segment[]): Segment {
  return {
    kind: 'turn',
    messages: segments.flatMap(({ messages }) => messages),
    tokens: segments.reduce((sum, { tokens }) => sum + tokens, 0),
    entries: segments.every(({ entries }) => entries > 0) ? segments.reduce((sum, { entries }) => sum + entries, 0) : 0,
  }
}

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
