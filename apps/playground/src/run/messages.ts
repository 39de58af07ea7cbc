import type { Ask, Event, Failure, Json, Signal } from '@interleave/core'
import type { EventOf } from '@interleave/core/observe'

/** A run as a conversation: what its log tells, in the words of a reader. */
export type Message = UserMessage | ThoughtMessage | TextMessage | CallMessage | QuestionMessage | RestMessage

interface Keyed {
  readonly key: string
}
export interface UserMessage extends Keyed {
  readonly type: 'user'
  readonly seq: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly text: string
}
/** What a model thought for itself. */
export interface ThoughtMessage extends Keyed {
  readonly type: 'thought'
  readonly text: string
  readonly ms: number
}
export interface TextMessage extends Keyed {
  readonly type: 'text'
  readonly text: string
  readonly isAnswer: boolean
  /** The demo planner wrote it. */
  readonly isRules: boolean
  readonly at: number
}
export interface CallMessage extends Keyed {
  readonly type: 'call'
  readonly tool: string
  readonly state: 'under way' | 'waits for you' | 'done' | 'failed'
  readonly input: Json
  /** The `seq` of what it came to. */
  readonly seq?: number
  readonly output?: Json
  readonly error?: Failure
  readonly ms?: number
}
export interface QuestionMessage extends Keyed {
  readonly type: 'question'
  readonly ask: Ask
  readonly isOpen: boolean
  readonly reply?: Json
  /** The `seq` of the reply. */
  readonly seq?: number
}
export interface RestMessage extends Keyed {
  readonly type: 'rest'
  readonly signal: Extract<Signal, { type: 'failed' | 'stopped' }>
}

const perLog = new WeakMap<readonly Event[], readonly Message[]>()

/** The messages of a log, oldest first. The same array for the same log. */
export function toMessages(events: readonly Event[]): readonly Message[] {
  const known = perLog.get(events)
  if (known) return known
  const messages: Message[] = []
  for (const event of events) add(messages, event)
  perLog.set(events, messages)
  return messages
}

function add(messages: Message[], event: Event): void {
  const key = String(event.seq)
  switch (event.type) {
    case 'said':
      if (event.by === 'user')
        messages.push({ type: 'user', key, seq: event.seq, at: event.at, text: textOf(event.content) })
      break
    case 'thought':
      messages.push(...thoughtMessages(event), ...textMessages(event), ...callMessages(event))
      break
    case 'called':
      // What a person changed when it was approved.
      if (event.input !== undefined) changeCall(messages, event.call, { input: event.input })
      break
    case 'observed':
      changeCall(messages, event.call, outcome(event))
      break
    case 'asked':
      if (event.ask.call) changeCall(messages, event.ask.call, { state: 'waits for you' })
      messages.push({ type: 'question', key: event.ask.id, ask: event.ask, isOpen: true })
      break
    case 'replied':
      answer(messages, event)
      break
    case 'rested':
      rest(messages, event)
      break
    default:
  }
}

function thoughtMessages({ seq, parts, ms }: EventOf<'thought'>): ThoughtMessage[] {
  const text = parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('')
  return text.trim() ? [{ type: 'thought', key: String(seq), text, ms }] : []
}

function textMessages({ seq, at, parts, model }: EventOf<'thought'>): TextMessage[] {
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  return text.trim()
    ? [{ type: 'text', key: String(seq), at, text, isAnswer: false, isRules: model.provider === 'demo' }]
    : []
}

function callMessages({ iteration, parts, error }: EventOf<'thought'>): CallMessage[] {
  if (error) return []
  const calls = parts.flatMap((part) => (part.type === 'tool-call' && !part.providerExecuted ? [part] : []))
  return calls.flatMap(({ toolName: tool, input }, index) =>
    // The question itself tells that the model asks.
    tool === 'askUser' ? [] : [{ type: 'call', key: `${iteration}/tool/${index}`, tool, input, state: 'under way' }],
  )
}

function outcome({ seq, output, result, error, ms }: EventOf<'observed'>): CallChange {
  const shown = result.type === 'execution-denied' ? (result.reason ?? '') : (result.value as Json)
  return { seq, output: output ?? shown, ms, ...(error ? { state: 'failed', error } : { state: 'done' }) }
}

type CallChange = Partial<Omit<CallMessage, 'type' | 'key' | 'tool'>>

function changeCall(messages: Message[], key: string, change: CallChange): void {
  const index = messages.findLastIndex((message) => message.type === 'call' && message.key === key)
  const call = messages[index]
  if (call?.type === 'call') messages[index] = { ...call, ...change }
}

function answer(messages: Message[], { seq, ask, value }: EventOf<'replied'>): void {
  const index = messages.findLastIndex((message) => message.type === 'question' && message.key === ask)
  const question = messages[index]
  if (question?.type !== 'question') return
  messages[index] = { ...question, isOpen: false, reply: value, seq }
  if (question.ask.call) changeCall(messages, question.ask.call, { state: 'under way' })
}

function rest(messages: Message[], { seq, at, signal }: EventOf<'rested'>): void {
  if (signal.type === 'answer') markAnswer(messages, { key: String(seq), at, output: signal.output })
  if (signal.type === 'stopped') closeQuestions(messages)
  if (signal.type === 'stopped' || signal.type === 'failed') messages.push({ type: 'rest', key: String(seq), signal })
}

/** An answer that no model wrote, as of the last node of a graph, is a message of its own. */
function markAnswer(messages: Message[], { key, at, output }: { key: string; at: number; output: unknown }): void {
  const index = messages.findLastIndex(({ type }) => type === 'text' || type === 'user')
  const text = messages[index]
  const isWritten = text?.type === 'text' && (typeof output !== 'string' || text.text.trim() === output.trim())
  if (isWritten) messages[index] = { ...text, isAnswer: true }
  else if (typeof output === 'string')
    messages.push({ type: 'text', key, at, text: output, isAnswer: true, isRules: false })
}

function closeQuestions(messages: Message[]): void {
  for (const [index, message] of messages.entries())
    if (message.type === 'question' && message.isOpen) messages[index] = { ...message, isOpen: false }
}

/** What was said, in words. */
export const textOf = (content: EventOf<'said'>['content']): string =>
  typeof content === 'string'
    ? content
    : content.map((part) => (part.type === 'text' ? part.text : 'a file')).join('\n')
