import { type Failure, messageOf } from '../error.ts'
import type { Event } from '../event.ts'
import type { Json } from '../json.ts'
import { messageText } from '../part.ts'
import type { Ask } from '../question.ts'
import type { EventOf } from '../run.ts'
import { isOwnLimit, type Signal } from '../signal.ts'
import { callsOf } from '../state.ts'
import { ChatIndex } from './chatIndex.ts'
import {
  type CallMessage,
  type ChatEntry,
  type ChatMessage,
  consumed,
  indexForTurn,
  type QuestionMessage,
  seededMessages,
  textMessages,
  type UserMessage,
  unknownSeq,
} from './chatMessage.ts'
import { shownResult } from './scratchpad.ts'

/** A chat that grows. Messages are replaced in the list, and never changed themselves. */
export interface Chat {
  readonly messages: ChatMessage[]
  /** The positions of the messages. Undefined until they are needed, or if a later copy of the chat has them. */
  index: ChatIndex | undefined
  /** The type of the run's current signal. */
  signal: Signal['type'] | undefined
  /** True once the user has sent a message. */
  isBegun: boolean
  /** The `seq` of the event that first persisted a part of the streaming turn. */
  draftedAt: number | undefined
}

export const emptyChat = (): Chat => ({
  messages: [],
  index: undefined,
  signal: undefined,
  isBegun: false,
  draftedAt: undefined,
})

export function addToChat(chat: Chat, event: Event): void {
  add(chat, event)
  chat.signal = signalSince(chat.signal, event)
}

function add<Type extends Event['type']>(chat: Chat, event: EventOf<Type>): void {
  const { type } = event as { readonly type: Type }
  if (Object.hasOwn(changes, type)) changes[type]?.(chat, event)
}

const indexOf = (chat: Chat): ChatIndex => {
  chat.index ??= new ChatIndex(chat.messages)
  return chat.index
}

/** The change that each event makes to the chat. */
const changes: { readonly [Type in Event['type']]?: (chat: Chat, event: EventOf<Type>) => void } = {
  seeded: (chat, event) => indexOf(chat).push(...seededMessages(event)),
  said: say,
  drafted(chat, { seq }) {
    chat.draftedAt ??= seq
  },
  thought: think,
  claimed(chat, { call, input, prompt }) {
    changeCallMessage(chat, call, { state: 'working', ...(input !== undefined && { input }) })
    // Also in a fork with another reply, and if the reply came before its question was asked again.
    if (prompt !== undefined) changeQuestion(chat, indexOf(chat).approval(call), { prompt })
  },
  observed: observe,
  amended: amend,
  asked: ask,
  replied: reply,
  withdrawn: (chat, event) => close(chat, ({ id }) => id === event.ask),
  permitted(chat, { ask, by }) {
    if (ask.call && !ask.from) changeCallMessage(chat, ask.call, { permission: by })
  },
  // They are asked again here.
  imported: (chat) => close(chat, () => true),
  settled: settle,
}

/** Returns the rest after an event, as the state has it. */
function signalSince(signal: Chat['signal'], event: Event): Chat['signal'] {
  switch (event.type) {
    case 'settled':
      return event.signal.type
    case 'resumed':
    case 'replied':
    case 'permitted':
    case 'withdrawn':
    case 'observed':
      return undefined
    case 'said':
      return event.by === 'user' && event.content !== '' && signal !== 'inputNeeded' ? undefined : signal
    default:
      return signal
  }
}

/** Adds a user message. A new request no longer needs the limit question that ended the previous one. */
function say(chat: Chat, { by, seq, at, content, replaces }: EventOf<'said'>): void {
  if (by !== 'user') return
  const { messages, signal } = chat
  if (replaces !== undefined) {
    const index = messages.findLastIndex((message) => message.type === 'user' && message.seq === replaces)
    if (index >= 0) indexOf(chat).remove(index)
    if (content === '') return
  }
  const begins = signal ? signal !== 'inputNeeded' : !chat.isBegun
  chat.isBegun = true
  if (begins) close(chat, isOwnLimit)
  const text = messageText(content)
  indexOf(chat).push({ type: 'user', key: `said/${seq}`, at, seq, content, text, isRead: false, state: 'sent' })
}

/** Adds a turn before the messages that the user sent while it streamed: a later turn answers those. */
function think(chat: Chat, turn: EventOf<'thought'>): void {
  const { messages, draftedAt = Number.POSITIVE_INFINITY } = chat
  chat.draftedAt = undefined
  const { readUntil, at, ms } = turn
  const all = indexOf(chat)
  for (const [, message] of all.pending()) if (message.seq < readUntil) all.replace(consumed(message))
  // The log does not record which messages were in the prompt of a void turn.
  const isLater = (message: UserMessage): boolean => readUntil > 0 || message.seq > draftedAt || message.at > at - ms
  const index = indexForTurn({ pending: all.pending(), end: messages.length }, isLater)
  all.insert(index, [...textMessages(turn), ...callMessages(turn), ...providerCalls(turn)])
  readProviderResults(chat, turn)
}

/** Returns the calls of a turn; none of one that was cut off. An input counts as checked once its tool is called, or asks. */
function callMessages(turn: EventOf<'thought'>): readonly CallMessage[] {
  if (turn.error) return []
  const { at, iteration } = turn
  return callsOf(turn, iteration).map(({ key, name, input }) => ({
    type: 'call',
    key,
    at,
    tool: name,
    state: 'writing',
    input,
  }))
}

function observe(chat: Chat, event: EventOf<'observed'>): void {
  const { seq, call, result, output, ms } = event
  // A user may have said that an interrupted call ran: its output is unknown.
  const error = indexOf(chat).isDone(call) ? outputLost : event.error
  const isRefused = result.type === 'execution-denied'
  changeCallMessage(chat, call, {
    state: isRefused ? 'refused' : error ? 'failed' : 'done',
    output: output ?? shownResult(result),
    ms,
    ...(seq !== unknownSeq && { seq }),
    ...(isRefused ? { error: error ?? refused(shownResult(result)) } : error && { error }),
  })
  close(chat, (ask) => ask.call === call)
}

const outputLost: Failure = {
  code: 'tool_interrupted',
  message: 'It already ran, as the user confirms. The output is lost.',
  retryable: false,
}
const refused = (reason: Json): Failure => ({
  code: 'tool_refused',
  message: typeof reason === 'string' && reason ? reason : 'Refused.',
  retryable: false,
})

/** Applies an amendment: the original content must not be shown. */
function amend(chat: Chat, { target, input, result, output }: EventOf<'amended'>): void {
  if (typeof target !== 'string') return
  changeCallMessage(chat, target, {
    ...(input !== undefined && { input }),
    ...(result && { output: output ?? shownResult(result) }),
  })
}

/** The members of a call that change. Each caller passes those that its event changes. */
type CallChange = {
  readonly [Member in 'state' | 'input' | 'permission' | 'output' | 'error' | 'ms' | 'seq']?: CallMessage[Member]
}

function changeCallMessage(chat: Chat, key: string, change: CallChange): void {
  const call = indexOf(chat).get(key)
  if (call?.type === 'call') indexOf(chat).replace({ ...call, ...change } as CallMessage)
}

function ask(chat: Chat, { seq, at, ask }: EventOf<'asked'>): void {
  if (ask.call) changeCallMessage(chat, ask.call, { state: 'waiting' })
  const key = `asked/${ask.id}`
  // A withdrawn question may be asked again.
  const isKnown = indexOf(chat).has(key)
  indexOf(chat).push({ type: 'question', key: isKnown ? `asked/${seq}` : key, at, ask, isOpen: true })
}

function reply(chat: Chat, { seq, ask: id, value, prompt }: EventOf<'replied'>): void {
  const index = indexOf(chat)
  const change = { isOpen: false, reply: value, seq, ...(prompt !== undefined && { prompt }) }
  const call = changeQuestion(chat, index.question(id), change)?.ask.call
  const isOther = call !== undefined && index.open().some((other) => other.ask.call === call)
  if (call !== undefined && !isOther) changeCallMessage(chat, call, { state: 'working' })
}

/** Changes a question. With a `prompt`, the message shows what was approved, and what was asked before. */
function changeQuestion(
  chat: Chat,
  question: QuestionMessage | undefined,
  { prompt, ...change }: Partial<Pick<QuestionMessage, 'isOpen' | 'reply' | 'seq'>> & { readonly prompt?: string },
): QuestionMessage | undefined {
  if (!question) return undefined
  const isNew = prompt !== undefined && prompt !== question.ask.prompt
  const { promptBefore = question.ask.prompt } = question
  const shown = isNew && { ask: { ...question.ask, prompt }, promptBefore }
  const changed: QuestionMessage = { ...question, ...change, ...shown }
  indexOf(chat).replace(changed)
  return changed
}

function close(chat: Chat, isOver: (ask: Ask) => boolean): void {
  for (const question of indexOf(chat).open())
    if (isOver(question.ask)) indexOf(chat).replace({ ...question, isOpen: false })
}

function settle(chat: Chat, { seq, at, signal }: EventOf<'settled'>): void {
  const key = `settled/${seq}`
  if (signal.type === 'answer') {
    close(chat, isOwnLimit)
    markAnswer(chat, signal.output, { key, at })
  }
  if (signal.type === 'stopped') close(chat, () => true)
  if (signal.type === 'stopped' || signal.type === 'failed') {
    indexOf(chat).push({ type: 'settled', key, at, signal, ...(signal.type === 'failed' && { error: signal.error }) })
  }
}

/** Marks the answer. One that no model wrote as text, such as that of a tool, is a message of its own. */
function markAnswer(chat: Chat, output: unknown, entry: ChatEntry): void {
  const { messages } = chat
  const index = messages.findLastIndex(({ type }) => type === 'text' || type === 'user')
  const text = messages[index]
  const answer = typeof output === 'string' ? output : (JSON.stringify(output, undefined, 2) ?? '')
  if (text?.type === 'text' && (typeof output !== 'string' || text.text.trim() === output.trim()))
    messages[index] = { ...text, isAnswer: true }
  else if (answer.trim())
    indexOf(chat).push({ type: 'text', ...entry, text: answer, reasoning: '', isStreaming: false, isAnswer: true })
}

/** Returns the calls that the provider runs itself, without asking for approval. */
function providerCalls({ at, iteration, parts, error }: EventOf<'thought'>): readonly CallMessage[] {
  if (error) return []
  const asked = new Set(parts.flatMap((part) => (part.type === 'tool-approval-request' ? [part.toolCallId] : [])))
  const own = parts.filter((part) => part.type === 'tool-call').filter((part) => part.providerExecuted)
  const byId = new Map(own.map((part) => [part.toolCallId, part]))
  return [...byId.values()]
    .filter(({ toolCallId }) => !asked.has(toolCallId))
    .map(({ toolCallId, toolName, input }) => ({
      type: 'call',
      key: `${iteration}/provider/${toolCallId}`,
      at,
      tool: toolName,
      state: 'working',
      input,
    }))
}

/** Reads the results of the provider's calls, which arrive in the same turn or in a later one. */
function readProviderResults(chat: Chat, { parts }: EventOf<'thought'>): void {
  for (const part of parts) {
    if (part.type !== 'tool-result') continue
    const { toolCallId, result, isError } = part
    const call = indexOf(chat).provided(toolCallId)
    const error = { code: 'tool_failed', message: messageOf(result), retryable: false } as const
    const change = isError ? ({ state: 'failed', error } as const) : ({ state: 'done' } as const)
    if (call) changeCallMessage(chat, call, { ...change, output: result })
  }
}
