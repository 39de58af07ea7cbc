import type { Ask, Event, EventOf, Failure, Json, Signal } from '@interleave/core'

/** A run as a conversation: what the log tells, in the words of a reader. */
export type Message =
  | { readonly type: 'user'; readonly key: string; readonly seq: number; readonly text: string }
  | { readonly type: 'text'; readonly key: string; readonly text: string; readonly isAnswer: boolean }
  | {
      readonly type: 'call'
      readonly key: string
      readonly tool: string
      readonly error?: Failure
      readonly isOpen: boolean
    }
  | {
      readonly type: 'question'
      readonly key: string
      readonly ask: Ask
      readonly reply?: Json
      readonly isOpen: boolean
    }
  | { readonly type: 'rest'; readonly key: string; readonly signal: Extract<Signal, { type: 'failed' | 'stopped' }> }

const perLog = new WeakMap<readonly Event[], readonly Message[]>()

/** The messages of a log, oldest first. The same array for the same log. */
export function toMessages(events: readonly Event[]): readonly Message[] {
  const known = perLog.get(events)
  if (known) return known
  const messages: Message[] = []
  for (const event of events) addMessage(messages, event)
  perLog.set(events, messages)
  return messages
}

function addMessage(messages: Message[], event: Event): void {
  const key = String(event.seq)
  switch (event.type) {
    case 'said':
      if (event.by === 'user') messages.push({ type: 'user', key, seq: event.seq, text: textOf(event.content) })
      break
    case 'thought':
      messages.push(...thoughtMessages(event))
      break
    case 'observed':
      replace(messages, 'call', event.call, (call) => ({
        ...call,
        isOpen: false,
        ...(event.error && { error: event.error }),
      }))
      break
    case 'asked':
      messages.push({ type: 'question', key: event.ask.id, ask: event.ask, isOpen: true })
      break
    case 'replied':
      replace(messages, 'question', event.ask, (question) => ({ ...question, isOpen: false, reply: event.value }))
      break
    case 'rested':
      addRest(messages, event)
      break
    default:
  }
}

function thoughtMessages({ seq, iteration, parts, error }: EventOf<'thought'>): Message[] {
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const own = parts.filter((part) => part.type === 'tool-call' && !part.providerExecuted && !error)
  const calls = own.map((part, index) => ({
    type: 'call' as const,
    key: `${iteration}/tool/${index}`,
    tool: part.type === 'tool-call' ? part.toolName : '',
    isOpen: true,
  }))
  return [...(text.trim() ? [{ type: 'text' as const, key: String(seq), text, isAnswer: false }] : []), ...calls]
}

function addRest(messages: Message[], { seq, signal }: EventOf<'rested'>): void {
  if (signal.type === 'failed' || signal.type === 'stopped') {
    messages.push({ type: 'rest', key: String(seq), signal })
    for (const [index, message] of messages.entries())
      if (signal.type === 'stopped' && message.type === 'question') messages[index] = { ...message, isOpen: false }
  }
  if (signal.type !== 'answer') return
  const last = messages.findLastIndex((message) => message.type === 'text')
  const answer = messages[last]
  if (answer?.type === 'text') messages[last] = { ...answer, isAnswer: true }
}

type MessageOf<Type extends Message['type']> = Extract<Message, { type: Type }>

/** Changes the latest message of this type and key. */
function replace<Type extends Message['type']>(
  messages: Message[],
  type: Type,
  key: string,
  change: (message: MessageOf<Type>) => Message,
): void {
  const index = messages.findLastIndex((message) => message.type === type && message.key === key)
  const found = messages[index]
  if (found) messages[index] = change(found as MessageOf<Type>)
}

const textOf = (content: EventOf<'said'>['content']): string =>
  typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : '📎')).join('\n')
