import type { Ask, Event, Failure, Json, Signal } from '@interleave/core'
import type { EventOf } from '@interleave/core/observe'

/** A run as a conversation: what its log tells, in the words of a reader. */
export type Message = UserMessage | TextMessage | CallMessage | QuestionMessage | RestMessage

interface Keyed {
  readonly key: string
}
export interface UserMessage extends Keyed {
  readonly type: 'user'
  readonly seq: number
  readonly text: string
}
export interface TextMessage extends Keyed {
  readonly type: 'text'
  readonly text: string
  readonly isAnswer: boolean
  /** The demo planner wrote it. */
  readonly isRules: boolean
}
export interface CallMessage extends Keyed {
  readonly type: 'call'
  readonly tool: string
  readonly state: 'under way' | 'waits for you' | 'done' | 'failed'
  readonly error?: Failure
}
export interface QuestionMessage extends Keyed {
  readonly type: 'question'
  readonly ask: Ask
  readonly isOpen: boolean
  readonly reply?: Json
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
      if (event.by === 'user') messages.push({ type: 'user', key, seq: event.seq, text: textOf(event.content) })
      break
    case 'thought':
      messages.push(...textMessages(event), ...callMessages(event))
      break
    case 'observed':
      changeCall(messages, event.call, event.error ? { state: 'failed', error: event.error } : { state: 'done' })
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

function textMessages({ seq, parts, model }: EventOf<'thought'>): TextMessage[] {
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  return text.trim()
    ? [{ type: 'text', key: String(seq), text, isAnswer: false, isRules: model.provider === 'demo' }]
    : []
}

function callMessages({ iteration, parts, error }: EventOf<'thought'>): CallMessage[] {
  if (error) return []
  const tools = parts.flatMap((part) => (part.type === 'tool-call' && !part.providerExecuted ? [part.toolName] : []))
  return tools.flatMap((tool, index) =>
    // The question itself tells that the model asks.
    tool === 'askUser' ? [] : [{ type: 'call', key: `${iteration}/tool/${index}`, tool, state: 'under way' }],
  )
}

function changeCall(messages: Message[], key: string, change: Pick<CallMessage, 'state' | 'error'>): void {
  const index = messages.findLastIndex((message) => message.type === 'call' && message.key === key)
  const call = messages[index]
  if (call?.type === 'call') messages[index] = { ...call, ...change }
}

function answer(messages: Message[], { ask, value }: EventOf<'replied'>): void {
  const index = messages.findLastIndex((message) => message.type === 'question' && message.key === ask)
  const question = messages[index]
  if (question?.type !== 'question') return
  messages[index] = { ...question, isOpen: false, reply: value }
  if (question.ask.call) changeCall(messages, question.ask.call, { state: 'under way' })
}

function rest(messages: Message[], { seq, signal }: EventOf<'rested'>): void {
  if (signal.type === 'answer') markAnswer(messages, { key: String(seq), output: signal.output })
  if (signal.type === 'stopped') closeQuestions(messages)
  if (signal.type === 'stopped' || signal.type === 'failed') messages.push({ type: 'rest', key: String(seq), signal })
}

/** An answer that no model wrote, as of the last node of a graph, is a message of its own. */
function markAnswer(messages: Message[], { key, output }: { key: string; output: unknown }): void {
  const index = messages.findLastIndex(({ type }) => type === 'text' || type === 'user')
  const text = messages[index]
  const isWritten = text?.type === 'text' && (typeof output !== 'string' || text.text.trim() === output.trim())
  if (isWritten) messages[index] = { ...text, isAnswer: true }
  else if (typeof output === 'string')
    messages.push({ type: 'text', key, text: output, isAnswer: true, isRules: false })
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
