import type { Event, Failure, Json, UserContent } from '@interleave/core'
import {
  type ChatMessage,
  type EventOf,
  messagesOf,
  type QuestionMessage,
  type SendingMessage,
  type SettledMessage,
} from '@interleave/core/observe'

export type { QuestionMessage, SettledMessage } from '@interleave/core/observe'

/** A message of a run's conversation, for display. */
export type Message =
  | UserMessage
  | ThoughtMessage
  | TextMessage
  | CallMessage
  | QuestionMessage
  | SettledMessage
  | ModelMessage

interface Keyed {
  readonly key: string
}
export interface UserMessage extends Keyed {
  readonly type: 'user'
  readonly seq: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly text: string
  readonly content: UserContent
  /** `sending`: the server does not have it yet. */
  readonly state: 'sending' | 'sent'
  /** The sender's key, while it is `sending`. */
  readonly sendKey?: string
}
/** The reasoning of a model. */
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
  readonly state: 'under way' | 'waits for you' | 'done' | 'refused' | 'failed'
  /** The user had allowed it earlier, by this permission. */
  readonly permission?: string
  /** Undefined if nothing of it has arrived. */
  readonly input: Json | undefined
  /** The `seq` of its result. */
  readonly seq?: number
  readonly output?: Json
  readonly error?: Failure
  /** The tool's own time, in milliseconds. */
  readonly ms?: number
  /** Milliseconds that it waited for the user, apart from that. */
  readonly waitedMs?: number
}
/** Another model continues the run from here. */
export interface ModelMessage extends Keyed {
  readonly type: 'model'
  readonly provider: string
  readonly modelId: string
}
const perMessage = new WeakMap<ChatMessage, readonly Message[]>()
const perLog = new WeakMap<readonly ChatMessage[], readonly Message[]>()

/** The messages of a log, oldest first. The same array for the same log, and the same messages while they say the same. */
export function toMessages(events: readonly Event[]): readonly Message[] {
  const chat = messagesOf(events)
  const known = perLog.get(chat)
  if (known) return known
  const waits = waitsOf(events)
  const messages = withModels(
    chat.flatMap((message) => inOurWords(message, waits)),
    events,
  )
  perLog.set(chat, messages)
  return messages
}

/** Adds a message where another model continues: before the first message of its first turn. */
function withModels(messages: readonly Message[], events: readonly Event[]): readonly Message[] {
  const changes = modelChanges(events)
  if (changes.size === 0) return messages
  return messages.flatMap((message) => {
    const turn = turnOf(message)
    const change = changes.get(turn)
    changes.delete(turn)
    return change ? [change, message] : [message]
  })
}

/** The turns whose model is another one than that of the turn before. */
function modelChanges(events: readonly Event[]): Map<string, ModelMessage> {
  const changes = new Map<string, ModelMessage>()
  let before: string | undefined
  for (const event of events) {
    if (event.type !== 'thought') continue
    const { provider, modelId } = event.model
    const name = `${provider} ${modelId}`
    const key = `model/${event.iteration}`
    if (before !== undefined && before !== name)
      changes.set(String(event.iteration), { type: 'model', key, provider, modelId })
    before = name
  }
  return changes
}

/** The number of the turn that a message belongs to, by its key; another text for other messages. */
const turnOf = ({ key }: Message): string => key.slice(0, key.indexOf('/'))

/** The messages that this page sends, as long as the log does not show them. */
export const sendingMessages = (sending: readonly SendingMessage[]): readonly Message[] =>
  sending
    .filter(({ content }) => content !== '')
    .map(({ key, at, content }) => ({
      ...{
        type: 'user',
        key: `sending/${key}`,
        seq: -1,
        at,
        content,
        text: textOf(content),
        state: 'sending',
        sendKey: key,
      },
    }))

type Waits = ReturnType<typeof waitsOf>

function inOurWords(message: ChatMessage, waits: Waits): readonly Message[] {
  const known = perMessage.get(message)
  if (known) return known
  const made = toOurs(message, waits)
  perMessage.set(message, made)
  return made
}

function toOurs(message: ChatMessage, waits: Waits): readonly Message[] {
  switch (message.type) {
    case 'user':
      return [{ ...message, text: textOf(message.content) }]
    case 'text':
      return textMessages(message)
    case 'call': {
      // The question itself tells that the model asks.
      if (message.tool === 'askUser') return []
      const { ms: _, ...call } = message
      return [{ ...call, ...timesOf(message, waits), state: words[message.state] }]
    }
    default:
      return [message]
  }
}

/** Returns the times of a finished call. A refused one has no time of its own, only the wait for the user. */
function timesOf({ key, state, ms }: Called, waits: Waits): Pick<CallMessage, 'ms' | 'waitedMs'> {
  if (ms === undefined) return {}
  const waitedMs = waits.get(key)
  return { ...(state !== 'refused' && { ms }), ...(waitedMs !== undefined && { waitedMs }) }
}

type Called = Extract<ChatMessage, { type: 'call' }>

const words = {
  writing: 'under way',
  working: 'under way',
  waiting: 'waits for you',
  done: 'done',
  refused: 'refused',
  failed: 'failed',
} as const

type Written = Extract<ChatMessage, { type: 'text' }>

function textMessages({ key, at, text, reasoning, isAnswer, model, ms = 0 }: Written): readonly Message[] {
  const isRules = model?.provider === 'demo'
  return [
    ...(reasoning.trim() ? [{ type: 'thought', key, text: reasoning, ms } as const] : []),
    ...(text.trim() ? [{ type: 'text', key, at, text, isAnswer, isRules } as const] : []),
  ]
}

/** Returns the text of a message. */
export const textOf = (content: EventOf<'said'>['content']): string =>
  typeof content === 'string'
    ? content
    : content.map((part) => (part.type === 'text' ? part.text : (part.filename ?? 'a file'))).join('\n')

/** The open questions of one call. */
interface Wait {
  readonly open: Set<string>
  since: number
  ms: number
}

/** Returns the milliseconds that each call waited for a user, by its key. Questions that are open at once count once. */
function waitsOf(events: readonly Event[]): ReadonlyMap<string, number> {
  const waits = new Map<string, Wait>()
  const callOf = new Map<string, string>()
  const close = (wait: Wait | undefined, at: number, ask?: string): void => {
    if (!wait || wait.open.size === 0) return
    if (ask === undefined) wait.open.clear()
    else wait.open.delete(ask)
    if (wait.open.size === 0) wait.ms += Math.max(0, at - wait.since)
  }
  for (const event of events) {
    if (event.type === 'asked' && event.ask.call !== undefined) {
      const { at, ask } = event
      const wait = waits.get(event.ask.call) ?? { open: new Set(), since: at, ms: 0 }
      if (wait.open.size === 0) wait.since = at
      wait.open.add(ask.id)
      waits.set(event.ask.call, wait)
      callOf.set(ask.id, event.ask.call)
    }
    if (event.type === 'replied' || event.type === 'withdrawn')
      close(waits.get(callOf.get(event.ask) ?? ''), event.at, event.ask)
    if (event.type === 'observed') close(waits.get(event.call), event.at)
  }
  return new Map([...waits].map(([call, { ms }]) => [call, ms]))
}
