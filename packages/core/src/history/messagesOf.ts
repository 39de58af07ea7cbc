import { checkRunState } from '#checks'
import { permissionOf } from '../call.ts'
import type { Draft } from '../draft.ts'
import type { Event, EventBody, SendingMessage } from '../event.ts'
import { cached } from '../json.ts'
import { isRun } from '../log/openRun.ts'
import { hideReasoning } from '../log/runEvents.ts'
import { messageText } from '../part.ts'
import type { Run } from '../run.ts'
import type { Call, Entry, RunState, Turn } from '../state.ts'
import { addToChat, type Chat, emptyChat } from './addToChat.ts'
import {
  type CallMessage,
  type ChatMessage,
  consumed,
  indexForTurn,
  pendingOf,
  type TextMessage,
  textKey,
  unknownSeq,
} from './chatMessage.ts'
import { streamedInput } from './partialOutput.ts'
import { joined } from './scratchpad.ts'

/**
 * Returns a run as chat messages, oldest first: user messages, model text including the streaming one, tool calls,
 * questions and their answers, failures and stops. Omits thoughts if the agent does not expose them. The calls of a
 * typed agent's run have the types of its tools; the log is not checked against them.
 *
 * For a log it shows the run at its end; for a run the current messages, or those at an earlier `state`. The result is
 * the same array for the same position, and messages keep their identity as long as they do not change. For a state
 * alone, answered questions are not included.
 */
export function messagesOf<Of extends Run>(of: Of, state?: RunState): readonly ChatMessage<Of>[]
export function messagesOf(of: Run | readonly Event[] | RunState, state?: RunState): readonly ChatMessage[]
export function messagesOf(of: Run | readonly Event[] | RunState, state?: RunState): readonly ChatMessage[] {
  if (isLog(of)) return settled(of, of.length)
  checkRunState((of as Partial<Run>)?.state ?? of, 'messagesOf()')
  if (!isRun(of)) return withSending(withStreaming(messagesOfState(of), of), of)
  const shown = state ?? of.state
  const { log: events } = of
  // A run that shows a state has no log.
  const messages = events.length > 0 ? settled(events, shown.seq - (events[0]?.seq ?? 0)) : messagesOfState(shown)
  return withSending(withStreaming(messages, shown), shown)
}

const isLog = (of: Run | readonly Event[] | RunState): of is readonly Event[] => Array.isArray(of)

function withStreaming(messages: readonly ChatMessage[], { draft, exposeReasoning }: RunState): readonly ChatMessage[] {
  return draft ? drawnOnce(draft, messages, () => withDraft(messages, draft, exposeReasoning === false)) : messages
}

/** Adds the messages that this page sends, in place of those that they replace. */
function withSending(messages: readonly ChatMessage[], { sending }: RunState): readonly ChatMessage[] {
  if (!sending) return messages
  return drawnOnce(sending, messages, () => {
    const replaced = new Set(sending.map(({ replaces }) => replaces))
    const left = messages.filter((message) => message.type !== 'user' || !replaced.has(message.seq))
    return [...left, ...sending.filter(({ content }) => content !== '').map(sendingMessage)]
  })
}

const sendingMessages = new WeakMap<SendingMessage, ChatMessage>()

const sendingMessage = (message: SendingMessage): ChatMessage =>
  cached(sendingMessages, message, () => {
    const { key: sendKey, at, content } = message
    const shown = { key: `sending/${sendKey}`, at, seq: unknownSeq, content, text: messageText(content) }
    return { type: 'user', ...shown, isRead: false, state: 'sending', sendKey }
  })

/** The messages of a log up to a position. */
interface Reading {
  readonly chat: Chat
  readonly isHidden: boolean
  readonly last: Event
  readonly count: number
  readonly messages: readonly ChatMessage[]
}
/** The furthest reading of each log and an earlier one, by its first event: logs are copied, events are not. */
const readings = new WeakMap<Event, readonly Reading[]>()
const drawn = new WeakMap<object, { readonly messages: readonly ChatMessage[]; readonly all: readonly ChatMessage[] }>()
const none: readonly ChatMessage[] = []

/** Returns the messages with those drawn for `added`: the same list while neither changes. */
function drawnOnce(
  added: object,
  messages: readonly ChatMessage[],
  draw: () => readonly ChatMessage[],
): readonly ChatMessage[] {
  const known = drawn.get(added)
  if (known?.messages === messages) return known.all
  const all = draw()
  drawn.set(added, { messages, all })
  return all
}

function settled(events: readonly Event[], count: number): readonly ChatMessage[] {
  const [first] = events
  const last = events[count - 1]
  if (!first || !last) return none
  const known = (readings.get(first) ?? []).filter(
    ({ count: read, last: end }) => read > events.length || events[read - 1] === end,
  )
  const before = known.filter(({ count: read }) => read <= count).toSorted((a, b) => b.count - a.count)[0]
  if (before?.count === count) return before.messages
  const reading = readOn(before ?? begin(first), events.slice(before?.count ?? 0, count))
  const furthest = known.find(({ count: read }) => read > count)
  readings.set(first, furthest ? [furthest, reading] : [reading])
  return reading.messages
}

const begin = (first: Event): Reading => ({
  chat: emptyChat(),
  messages: none,
  isHidden: first.type === 'started' && isHiddenIn(first),
  last: first,
  count: 0,
})

const isHiddenIn = ({ exposeReasoning }: Pick<RunState, 'exposeReasoning'>): boolean => exposeReasoning === false

const ofStates = new WeakMap<RunState, readonly ChatMessage[]>()

const messagesOfState = (state: RunState): readonly ChatMessage[] =>
  cached(ofStates, state, () => {
    const chat = emptyChat()
    addAll(chat, stateEvents(state), isHiddenIn(state))
    return chat.messages
  })

function addAll(chat: Chat, events: Iterable<Event>, isHidden: boolean): void {
  const shown = isHidden ? hideReasoning({ mayCall: true }) : undefined
  for (const event of events) addToChat(chat, shown ? (shown(event).at(-1) as Event) : event)
}

function readOn({ chat: before, isHidden, ...reading }: Reading, events: readonly Event[]): Reading {
  const messages = [...before.messages]
  const chat: Chat = { ...before, messages, index: before.index?.moveTo(messages) }
  before.index = undefined
  addAll(chat, events, isHidden)
  const old = reading.messages
  const isSame = old.length === chat.messages.length && old.every((message, index) => message === chat.messages[index])
  const count = reading.count + events.length
  return { chat, isHidden, last: events.at(-1) ?? reading.last, count, messages: isSame ? old : chat.messages }
}

/** Adds streaming content to a chat: the turn, and preliminary output of running tools. */
function withDraft(messages: readonly ChatMessage[], draft: Draft, isHidden: boolean): readonly ChatMessage[] {
  const { readUntil = 0 } = draft
  const all = messages.map((message) => withProgress(message, draft))
  for (const [index, message] of pendingOf(messages)) if (message.seq < readUntil) all[index] = consumed(message)
  const index =
    readUntil > 0
      ? indexForTurn({ pending: pendingOf(all), end: all.length }, ({ seq }) => seq >= readUntil)
      : all.length
  return all.toSpliced(index, 0, ...textOf(draft, isHidden), ...callsOf(draft))
}

function withProgress(message: ChatMessage, { progress }: Draft): ChatMessage {
  if (message.type !== 'call' || message.state !== 'working' || !Object.hasOwn(progress, message.key)) return message
  const shown = progress[message.key]
  return shown === undefined ? message : { ...message, progress: shown }
}

/** Returns the visible text of a draft. If thoughts are hidden, unfinished text may be one, so it is not shown. */
function textOf({ iteration, text, reasoning }: Draft, isHidden: boolean): readonly TextMessage[] {
  if (isHidden || (!text.trim() && !reasoning.trim())) return []
  return [{ type: 'text', key: textKey(iteration), at: 0, text, reasoning, isStreaming: true, isAnswer: false }]
}

/** Returns the streaming calls, each with the key that it will have in the log. */
const callsOf = ({ iteration, inputs }: Draft): readonly CallMessage[] =>
  Object.values(inputs).map((input, index) => ({
    type: 'call',
    key: `${iteration}/tool/${index}`,
    at: 0,
    tool: input.tool,
    state: 'writing',
    input: streamedInput(input),
    inputText: input.text,
  }))

/** Generates events that reproduce a state without its log. A state has only open questions, and no earlier signals. */
function* stateEvents(state: RunState): Generator<Event> {
  let before: Entry | undefined
  for (const page of [...state.history, state.pending])
    for (const entry of page) {
      if (before && isAnswered(before, entry)) yield answerEvent(before)
      yield* entryEvents(entry)
      before = entry
    }
  const { iteration, updatedAt: at, asks, signal, seq } = state
  for (const ask of asks) yield { type: 'asked', ask, seq: unknownSeq, at, iteration }
  if (signal) yield { type: 'settled', signal, seq: seq - 1, at, iteration }
}

/** Returns true if a user message follows a finished turn, so that it is a new request. */
const isAnswered = (before: Entry, next: Entry): before is Turn =>
  before.type === 'turn' &&
  !before.error &&
  (before.calls.length === 0 || before.calls.some(({ final }) => final)) &&
  next.type === 'said' &&
  next.by === 'user' &&
  next.at >= before.at

function answerEvent(turn: Turn): Event {
  const { at, iteration } = turn
  const output = turn.calls.find(({ final }) => final)?.output ?? joined(turn, 'text')
  // Its message needs a key of its own.
  const seq = unknownSeq - iteration
  return { type: 'settled', signal: { type: 'answer', output, reason: 'completed' }, seq, at, iteration }
}

function* entryEvents(entry: Entry): Generator<Event> {
  const { at } = entry
  const stamp = { seq: unknownSeq, at, iteration: 0 }
  if (entry.type === 'said') yield { ...stamp, ...entry }
  // Only the start of a run precedes its first message.
  else if (entry.type === 'messages') yield { ...stamp, seq: 1, type: 'seeded', messages: entry.messages }
  else {
    const { calls, ...turn } = entry
    const { iteration } = turn
    yield { ...turn, type: 'thought', seq: unknownSeq, readUntil: Number.POSITIVE_INFINITY }
    for (const call of calls)
      for (const event of callEvents(call)) yield { ...event, seq: unknownSeq, at: call.observedAt ?? at, iteration }
  }
}

function* callEvents(call: Call): Generator<EventBody> {
  const { key, name, input, claimedAt, questions, result, output, error, ms = 0 } = call
  const allowed = permissionOf(call)
  yield { type: 'amended', target: key, input, reason: '' }
  if (allowed !== undefined) {
    const ask = { id: allowed, kind: 'approval', prompt: '', tool: name, input, schema: {}, call: key } as const
    yield { type: 'permitted', ask, by: allowed }
  }
  // A call that has asked was checked too.
  if (claimedAt !== undefined || questions) yield { type: 'claimed', call: key }
  if (!result) return
  const shown = { ...(output !== undefined && { output }), ...(error && { error }) }
  yield { type: 'observed', call: key, result, ms, ...shown }
}
