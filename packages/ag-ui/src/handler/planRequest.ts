import { AgentError, type Ask, type Event, type Json } from '@interleave/core'
import { parseJson, toJson } from '@interleave/core/internal'
import type { EventOf } from '@interleave/core/observe'
import { type RunView, wasReasked } from '@interleave/server/internal'
import { cancelledReply, isForPage, payloadReply, readInterruptId } from '../events/interrupts.ts'
import { agUiMessages } from '../events/messages.ts'
import { isSameInput } from '../events/streamedTurn.ts'
import type { AgUiMessage, AgUiToolCall } from '../protocol.ts'
import type { ClientMessage, ResumeEntry, RunInput } from './runInput.ts'

type UserMessage = Extract<ClientMessage, { role: 'user' }>
type Asked = EventOf<'asked'>

/** The work of a request. */
export interface Plan {
  /** True if the thread has no run yet. */
  readonly starts: boolean
  readonly replies: readonly { readonly asked: Asked; readonly value: Json }[]
  /** The results of the client's tools, by call. */
  readonly results: ReadonlyMap<string, Json>
  /** The names of these tools. */
  readonly tools: readonly string[]
  /** The reason to stop the run: the user cancels a question that needs an answer. */
  readonly stop?: string
  readonly messages: readonly UserMessage[]
  /** True if the run has failed, and must try again. */
  readonly resumes: boolean
}

/** Plans a request for a thread that has no run yet. */
export function planStart({ messages, resume }: RunInput): Plan {
  if (resume?.length) throw unknown()
  const said = newMessages(messages, () => false)
  if (said.length === 0) throw new AgentError('request_invalid', 'A thread needs a user message to start with.')
  return { starts: true, replies: [], results: new Map(), tools: [], messages: said, resumes: false }
}

/** Plans a request for a run. A request that was sent before plans nothing. Throws if it cannot be applied. */
export function planRequest(input: RunInput, { events, state }: Pick<RunView, 'events' | 'state'>): Plan {
  const said = new Set(events.flatMap((event) => (event.type === 'said' && event.key !== undefined ? [event.key] : [])))
  const known = new Set(agUiMessages(events).map(({ id }) => id))
  const messages = newMessages(input.messages, (id) => said.has(id) || known.has(id))
  const entries = (input.resume ?? []).map((entry) => ({ entry, asked: askedBy(entry, events) }))
  const { results, tools } = resultsFor(state.asks, input.messages)
  // An entry that was answered before is a repetition.
  const answered = new Set(entries.flatMap(({ asked }) => (isOpen(state, asked) ? [asked.ask.id] : [])))
  const isNew = messages.length > 0 || answered.size > 0 || results.size > 0
  const own = new Set(input.tools?.map(({ name }) => name))
  const left = state.asks.filter((ask) => !answered.has(ask.id) && !isForPage(ask, own))
  if (isNew && left.length > 0) throw unanswered(left)
  const replies = entries.flatMap(({ entry, asked }) => {
    const value = replyOf(asked.ask, entry)
    return value === undefined ? [] : [{ asked, value }]
  })
  const cancelled = entries.find(({ entry, asked }) => replyOf(asked.ask, entry) === undefined && isOpen(state, asked))
  return {
    starts: false,
    replies,
    results,
    tools,
    messages,
    ...(cancelled && { stop: `The user has cancelled: ${cancelled.asked.ask.prompt}` }),
    resumes: !isNew && state.signal?.type === 'failed',
  }
}

const replyOf = (ask: Ask, { status, payload }: ResumeEntry): Json | undefined =>
  status === 'cancelled' ? cancelledReply(ask) : payloadReply(ask, payload)

const isOpen = ({ asks }: RunView['state'], { ask }: Asked): boolean => asks.some(({ id }) => id === ask.id)

/** Returns the event that asked the question of an interrupt. */
function askedBy({ interruptId }: ResumeEntry, events: readonly Event[]): Asked {
  const { ask, seq } = readInterruptId(interruptId) ?? {}
  const event = events[seq ?? -1]
  if (event?.type !== 'asked' || event.ask.id !== ask || wasReasked(events, event)) throw unknown()
  return event
}

const unknown = (): AgentError => new AgentError('ask_unknown', 'No open interrupt has this id.')

function unanswered(left: readonly Ask[]): AgentError {
  const prompts = left.map(({ prompt }) => `"${prompt}"`).join(', ')
  return new AgentError('run_busy', `The run waits for an answer to ${prompts}. Answer all interrupts in one request.`)
}

/** Returns the user messages at the end of a client's list that the run does not have. */
function newMessages(messages: readonly ClientMessage[], isKnown: (id: string) => boolean): readonly UserMessage[] {
  const last = messages.findLastIndex(({ id, role }) => (role === 'user' ? isKnown(id) : !isAside(role)))
  return messages.slice(last + 1).filter((message): message is UserMessage => message.role === 'user')
}

/** Returns true for messages of a client that neither the user nor the agent sent. */
const isAside = (role: string): boolean => role !== 'assistant' && role !== 'tool' && role !== 'user'

/** Returns the results that a client sends for calls of its own tools. */
function resultsFor(
  asks: readonly Ask[],
  messages: readonly ClientMessage[],
): { readonly results: ReadonlyMap<string, Json>; readonly tools: readonly string[] } {
  const given = new Map<string, Json>()
  for (const message of messages) if (message.role === 'tool') given.set(message.toolCallId, outputOf(message))
  const wanted = asks.flatMap((ask) =>
    ask.kind === 'choice' && ask.pageFor && !ask.from && ask.call ? [{ call: ask.call, tool: ask.pageFor }] : [],
  )
  const results = new Map(wanted.flatMap(({ call }) => (given.has(call) ? [[call, given.get(call) as Json]] : [])))
  const tools = new Set(wanted.flatMap(({ call, tool }) => (results.has(call) ? [tool] : [])))
  const left = wanted.find(({ call, tool }) => tools.has(tool) && !results.has(call))
  if (left)
    throw new AgentError('request_invalid', `The result of the call "${left.call}" is missing. Send all at once.`)
  return { results, tools: [...tools] }
}

/** Returns the output of a result. A string is parsed if it is JSON. */
function outputOf({ content }: Extract<ClientMessage, { role: 'tool' }>): Json {
  if (typeof content !== 'string') return toJson(content)
  try {
    return parseJson(content, { maxLength: content.length })
  } catch {
    return content
  }
}

/**
 * Returns the messages that a client has before those of a run; undefined if it has all messages of the run, and after
 * them only the user's. An incomplete message, as after an interrupted stream, counts as missing.
 */
export function missingMessages(
  given: readonly ClientMessage[],
  events: readonly Event[],
): { readonly prefix: readonly AgUiMessage[] } | undefined {
  const shown = agUiMessages(events).filter(({ role }) => role !== 'reasoning')
  const known = new Map(shown.map((message) => [message.id, message]))
  const first = Math.max(
    0,
    given.findIndex(({ id }) => known.has(id)),
  )
  const prefix = given.slice(0, first) as readonly unknown[] as readonly AgUiMessage[]
  const own = given.slice(first).filter(({ role }) => !isAside(role))
  const isSame =
    own.slice(0, known.size).filter((message) => isWhole(message, known.get(message.id))).length === known.size &&
    own.slice(known.size).every(({ role }) => role === 'user')
  return isSame ? undefined : { prefix }
}

/** Returns true if a client has all of a message. */
function isWhole(given: ClientMessage, message: AgUiMessage | undefined): boolean {
  if (message?.role !== 'assistant') return message !== undefined
  const { content = '', toolCalls = [] } = given as Partial<Extract<AgUiMessage, { role: 'assistant' }>>
  const calls = message.toolCalls ?? []
  if (content !== (message.content ?? '') || !Array.isArray(toolCalls) || toolCalls.length !== calls.length)
    return false
  return calls.every(({ id, function: { arguments: args } }, index) => {
    const sent = toolCalls[index] as Partial<AgUiToolCall> | undefined
    return sent?.id === id && typeof sent.function?.arguments === 'string' && isSameInput(sent.function.arguments, args)
  })
}
