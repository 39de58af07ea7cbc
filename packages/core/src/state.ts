import type { LanguageModelV4Message, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'
import type { Draft } from './draft.ts'
import type { Failure } from './error.ts'
import type { Compacted, Drafted, Event, Parent, SavingTrouble, SendingMessage, Thought } from './event.ts'
import type { Json, Writable } from './json.ts'
import type { Part, UserContent } from './part.ts'
import type { Permission } from './permission.ts'
import type { Ask } from './question.ts'
import { hasMember, memberOf } from './record.ts'
import type { LimitName, Signal } from './signal.ts'
import { noUsage, type Usage } from './usage.ts'

/** The state of a run as plain JSON. Immutable: each event creates a new one that shares the unchanged parts. */
export interface RunState {
  readonly runId: string
  readonly agent: string
  readonly version: string
  /** The parent run. */
  readonly parent?: Parent
  /** False if streams of events and exports omit the agent's thoughts. The state has them. */
  readonly exposeReasoning?: false
  /** True if its past came from elsewhere, such as a file, and logs of child runs may be missing. */
  readonly mayLackChildren?: true
  /** The number of events so far, and the `seq` of the next one. */
  readonly seq: number
  /** Milliseconds since the epoch, as all times of the state. */
  readonly startedAt: number
  readonly updatedAt: number
  /** The number of finished turns. */
  readonly iteration: number
  /** All messages and turns, in order, in pages: `history.flat()` is one list of them. */
  readonly history: Pages<Entry>
  /** The replacement for the entries before `from` in the prompt. */
  readonly compacted?: Compaction
  readonly compactions: number
  /** Messages that no turn has received yet. They follow the history. */
  readonly pending: readonly SaidEntry[]
  /** Open questions, oldest first. */
  readonly asks: readonly Ask[]
  /** The permissions for later calls, oldest first. A child run has none: its parent asks, and stores them. */
  readonly permissions?: readonly Permission[] | undefined
  readonly notes: Readonly<Record<string, Json>>
  /** The questions that steps have asked, by id, as they were shown. An answer in `notes` belongs to the question here. */
  readonly questions?: Readonly<Record<string, Ask>> | undefined
  readonly usage: Usage
  readonly toolCalls: number
  /** The start of the work on the user's latest request: limits count from here. */
  readonly request: RequestMark
  /** Extensions of limits by replies during this request. */
  readonly extensions: { readonly [Name in LimitName]?: number }
  /** The signal of a paused or finished run; absent while it runs. */
  readonly signal?: Signal | undefined
  /** The durable part of a long turn that is streaming, or was when its page closed. */
  readonly drafted?: Pick<Drafted, 'text' | 'reasoning'> | undefined
  /** The part of the streaming turn that has arrived. */
  readonly draft?: Draft | undefined
  /** Messages of this page that the host of the run does not have yet, oldest first. They are in no log. */
  readonly sending?: readonly SendingMessage[]
  /** Set while writes to the journal fail and are tried again: the work waits for them. It is in no log. */
  readonly saving?: SavingTrouble | undefined
}

interface Compaction extends Pick<Compacted, 'messages'> {
  readonly from: number
  /** The number of finished turns at that time. */
  readonly iteration: number
}

interface RequestMark {
  /** The `seq` of the message that began it; 0 before the first. */
  readonly seq: number
  /** When it began. If the clock is set back, this is set back, too. */
  readonly startedAt: number
  readonly iteration: number
  readonly toolCalls: number
  readonly usage: Usage
  /** Milliseconds in which the run was paused since. */
  readonly settledMs: number
  /** True if a user wants the answer now. */
  readonly finish?: true
}

/** Frozen in depth: all new runs share it. */
export const initialState: RunState = /* @__PURE__ */ Object.freeze({
  runId: '',
  agent: '',
  version: '',
  seq: 0,
  startedAt: 0,
  updatedAt: 0,
  iteration: 0,
  history: Object.freeze([]),
  compactions: 0,
  pending: Object.freeze([]),
  asks: Object.freeze([]),
  notes: Object.freeze({}),
  usage: noUsage,
  toolCalls: 0,
  request: Object.freeze({ seq: 0, startedAt: 0, iteration: 0, toolCalls: 0, usage: noUsage, settledMs: 0 }),
  extensions: Object.freeze({}),
  permissions: undefined,
  questions: undefined,
  signal: undefined,
  drafted: undefined,
  draft: undefined,
})

/** The next state. It shares unchanged parts with the previous one, so it replaces members and never changes them. */
export type Next = Writable<RunState>
export type EventOf<Type extends Event['type']> = Extract<Event, { readonly type: Type }>

/** The change that an event makes to the state. `before` is the state before the event, whatever others changed since. */
export type Change<Type extends Event['type']> = (next: Next, event: EventOf<Type>, before: RunState) => void

/**
 * The changes that events make to the state, by the type of the event. A capability brings those of its own events, and
 * what other events change in its own part of the state: they change nothing before its first own event.
 */
export type Changes = { readonly [Type in Event['type']]?: Change<Type> }

/** An entry of the history that the model receives. */
export type Entry = SaidEntry | MessagesEntry | Turn

export interface SaidEntry {
  readonly type: 'said'
  readonly seq: number
  readonly at: number
  readonly by: 'user' | 'agent'
  readonly content: UserContent
}
/** Foreign messages: an earlier conversation, or the summary of a compaction. */
interface MessagesEntry {
  readonly type: 'messages'
  readonly at: number
  readonly messages: readonly LanguageModelV4Message[]
}
/** A model turn and the results of its calls. */
export interface Turn extends Omit<Thought, 'type' | 'readUntil'> {
  readonly type: 'turn'
  readonly iteration: number
  readonly at: number
  /** The calls that this run executes, in the order of the model. */
  readonly calls: readonly Call[]
}

/**
 * Where a call is: the model wants it; a user is asked whether it may run; has allowed it; has refused it; it is claimed,
 * and may have run; its function waits for a reply; it was cut off, and a user decides; it has its result.
 */
export type CallStatus =
  | 'proposed'
  | 'approving'
  | 'approved'
  | 'refused'
  | 'started'
  | 'waiting'
  | 'interrupted'
  | 'done'

export interface Call {
  /** `3/tool/0`: the first call of the third turn. Providers' own ids repeat. */
  readonly key: string
  /** The provider's id. */
  readonly id: string
  readonly name: string
  readonly input: Json
  /** The input before the user changed it; absent if it was not changed. The tool runs with `input`. */
  readonly proposed?: Json
  /** The provider runs this call, and asks whether it may. */
  readonly approvalId?: string
  /** The reason why the model's input could not be parsed. */
  readonly invalid?: string
  readonly status: CallStatus
  /** Given by a user, or by a permission that a user gave before, by its id. */
  readonly consent?: 'user' | { readonly permission: string }
  /** The time of its latest claim, also if that was released. */
  readonly claimedAt?: number
  /** Set if it received a reply while other questions of it were open, so it may act while it waits for those. */
  readonly branches?: true
  /** Set if it waits, and a user has replied. */
  readonly answered?: true
  /** The decision of a user about the interrupted call. It counts for the attempt that follows. */
  readonly decision?: Json
  /** The names of its effects that run while a question is open, and have no result yet. */
  readonly effects?: readonly string[]
  /** Set if it resumes after a stop, like a child run. */
  readonly resumes?: true
  /** The result that the model receives. A call with a result is done. */
  readonly result?: LanguageModelV4ToolResultOutput
  readonly output?: Json
  readonly error?: Failure
  readonly observedAt?: number
  readonly ms?: number
  /** Set if it gave the answer. */
  readonly final?: true
  /** Answers to its questions and results of its `once`, by key. */
  readonly notes?: Readonly<Record<string, Json>>
  /** The questions that it asked, by id, as they were shown, until it is done. */
  readonly questions?: Readonly<Record<string, Ask>>
}

/** A growing list in pages: adding to it copies one page and not the list, and full pages keep their identity. */
export type Pages<T> = readonly (readonly T[])[]

const pageSize = 64

/** Returns the list with one more item at its end. */
export function append<T>(pages: Pages<T>, item: T): Pages<T> {
  const last = pages.at(-1)
  if (!last || last.length >= pageSize) return [...pages, [item]]
  return pages.with(-1, [...last, item])
}

/** Returns the list with its last item replaced. */
export function replaceLast<T>(pages: Pages<T>, item: T): Pages<T> {
  const last = pages.at(-1)
  return last ? pages.with(-1, last.with(-1, item)) : [[item]]
}

export const lastOf = <T>(pages: Pages<T>): T | undefined => pages.at(-1)?.at(-1)

export function lengthOf<T>(pages: Pages<T>): number {
  const last = pages.at(-1)
  return last ? (pages.length - 1) * pageSize + last.length : 0
}

export const itemAt = <T>(pages: Pages<T>, index: number): T | undefined =>
  pages[Math.floor(index / pageSize)]?.[index % pageSize]

/** Returns the latest turn, if the history ends with one. */
export function latestTurn(state: RunState): Turn | undefined {
  const last = lastOf(state.history)
  return last?.type === 'turn' ? last : undefined
}

/** Returns the calls of the latest turn without a result: its own list if none has one. */
export function openCalls(state: RunState): readonly Call[] {
  const calls = latestTurn(state)?.calls ?? none
  return calls.every(isOpen) ? calls : calls.filter(isOpen)
}
const isOpen = ({ result }: Call): boolean => !result

export function openCall(state: RunState, key: string): Call | undefined {
  const call = callOf(state, key)
  return call && isOpen(call) ? call : undefined
}

/** Returns a call of the latest turn. */
export function callOf(state: RunState, key: string): Call | undefined {
  const turn = latestTurn(state)
  return turn?.calls[positionOf(turn, key)]
}

/** Returns the position of a call, which its key ends with; -1 if there is none. */
function positionOf({ calls }: Turn, key: string): number {
  const position = Number(key.slice(key.lastIndexOf('/') + 1))
  return calls[position]?.key === key ? position : calls.findIndex((call) => call.key === key)
}

const none: readonly Call[] = []

/** Returns true if the model must be called: a message is pending, a result is unread, or its last turn was cut off. */
export function awaitsThought(state: RunState): boolean {
  if (openCalls(state).length > 0) return false
  if (state.pending.length > 0) return true
  const last = lastOf(state.history)
  if (last?.type !== 'turn') return lengthOf(state.history) > 0
  // After a crash an answer may be accepted although the run has not settled with it yet.
  if (last.calls.some(({ final }) => final)) return false
  return last.error !== undefined || last.calls.length > 0 || awaitsProvider(last)
}

/** Returns true if the provider runs one of its own tools and reports the result in a later turn. */
export function awaitsProvider({ finish, parts }: Pick<Turn, 'finish' | 'parts'>): boolean {
  // Anthropic reports its pause as a plain stop.
  if (finish?.unified !== 'tool-calls' && finish?.raw !== 'pause_turn') return false
  const reported = new Set(parts.map((part) => (part.type === 'tool-result' ? part.toolCallId : undefined)))
  return parts.some(
    (part) => part.type === 'tool-call' && part.providerExecuted === true && !reported.has(part.toolCallId),
  )
}

/** Returns what has the notes and questions of a call of the latest turn, or of the run itself. */
export const holderOf = (state: RunState, call: string | undefined): RunState | Call | undefined =>
  call === undefined ? state : callOf(state, call)

/** Returns a note of a run, or of a call of the latest turn. Its type is that of its only writer. */
export const noteOf = <T = Json>(state: RunState, key: string, call?: string): T | undefined =>
  memberOf(holderOf(state, call), 'notes', key) as T | undefined

export const hasNote = (state: RunState, key: string, call?: string): boolean =>
  hasMember(holderOf(state, call), 'notes', key)

/**
 * Replaces an open call. Only the latest turn has open calls: the model is not called again before each has its result.
 */
export function changeCall(state: { history: RunState['history'] }, key: string, update: (call: Call) => Call): void {
  const turn = lastOf(state.history)
  if (turn?.type !== 'turn') return
  const index = positionOf(turn, key)
  const call = turn.calls[index]
  if (call) state.history = replaceLast(state.history, { ...turn, calls: turn.calls.with(index, update(call)) })
}

/** Returns the calls of a turn that this run executes or approves, in the order of the model. */
export function callsOf({ parts }: Thought, iteration: number): Call[] {
  const calls: Call[] = []
  for (const part of parts) {
    const key = `${iteration}/tool/${calls.length}`
    if (part.type === 'tool-approval-request') calls.push(toApproval(part, parts, key))
    if (part.type !== 'tool-call' || part.providerExecuted) continue
    const { toolCallId: id, toolName: name, input, invalid } = part
    calls.push({ key, id, name, input, status: 'proposed', ...(invalid && { invalid }) })
  }
  return calls
}

type ApprovalPart = Extract<Part, { type: 'tool-approval-request' }>

/** Converts a provider's approval request for its own tool call to one of ours. */
function toApproval({ approvalId, toolCallId: id }: ApprovalPart, parts: readonly Part[], key: string): Call {
  const requested = parts.find((part) => part.type === 'tool-call' && part.toolCallId === id)
  const { toolName: name, input } =
    requested?.type === 'tool-call' ? requested : { toolName: 'a tool of the provider', input: null }
  return { key, id, name, input, status: 'proposed', approvalId }
}

/** The format of logs: one more than there are migrations in `validate`. */
export const logFormat: number = 1

/** Returns the id of the question whether an interrupted call should run again. */
export const interruptionOf = (call: string): string => `${call}/interruption`

/**
 * Returns the key of the note about how much of a child run's usage counts already. A step notes it before its child
 * begins.
 */
export const usageOf = (child: string): string => `${child}>usage`

/**
 * Returns the key of the note with a side call's answer, which is also the key of its effect. Exports without thoughts
 * omit its value.
 */
export const sideCallOf = (key: string): string => `${sideCallPrefix}${key}`
export const isSideCall = (key: string): boolean => key.startsWith(sideCallPrefix)
const sideCallPrefix = 'consult/'

/** Returns the key of the note with a result of `once`. */
export const onceKey = (name: string, call: string | undefined): string =>
  call === undefined ? `once/${name}` : `${call}/once/${name}`

/** Returns true for the key of a note with a result of `once`. */
export const isOfOnce = (key: string, call: string | undefined): boolean => key.startsWith(onceKey('', call))

/** Returns a question that a call of the latest turn, or the run itself, has asked, as it was shown. */
export const questionOf = (state: RunState, id: string, call: string | undefined): Ask | undefined =>
  memberOf(holderOf(state, call), 'questions', id)
