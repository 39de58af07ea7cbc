import type { LanguageModelV4Message, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'
import type { Failure } from './error.ts'
import type { Thought } from './event.ts'
import type { Json } from './json.ts'
import type { UserContent } from './part.ts'
import type { Ask } from './question.ts'

/** One entry of the history that the model is given. */
export type Entry = SaidEntry | MessagesEntry | Turn

export interface SaidEntry {
  readonly type: 'said'
  readonly seq: number
  readonly at: number
  readonly by: 'user' | 'agent'
  readonly content: UserContent
  /** The server does not have it yet. */
  readonly isSending?: true
}
/** Messages from elsewhere: an earlier conversation, or the summary that a compaction left. */
export interface MessagesEntry {
  readonly type: 'messages'
  readonly at: number
  readonly messages: readonly LanguageModelV4Message[]
}
/** A model turn and what came of its calls. */
export interface Turn extends Omit<Thought, 'type' | 'heard'> {
  readonly type: 'turn'
  readonly iteration: number
  readonly at: number
  /** The calls that are ours to run, in the order of the model. */
  readonly calls: readonly Call[]
}
export interface Call {
  /** `3/tool/0`: the first call of the third turn. Providers' own ids repeat. */
  readonly key: string
  /** The provider's id. */
  readonly id: string
  readonly name: string
  readonly input: Json
  /** The input before the user changed it; absent if it was not changed. `input` is then what the tool runs with. */
  readonly proposed?: Json
  /** The provider runs this call, and asks whether it may. */
  readonly approvalId?: string
  /** Why the model's input could not be parsed. */
  readonly invalid?: string
  /** When the tool was started. */
  readonly calledAt?: number
  /** A user replied, and the call has not continued yet. */
  readonly answered?: true
  /** It waits for an answer, and has done nothing since it was started that may not happen again. */
  readonly idle?: true
  /** It was given an answer while other questions of it were open, so that it may act while it waits for those. */
  readonly acts?: true
  /** It resumes after a stop, like a child run. */
  readonly resumes?: true
  /** The result that the model receives. A call with a result is done. */
  readonly result?: LanguageModelV4ToolResultOutput
  readonly output?: Json
  readonly error?: Failure
  readonly observedAt?: number
  readonly ms?: number
  /** It gave the answer. */
  readonly final?: true
  /** Answers to its questions and results of its `once`, by key. */
  readonly notes?: Readonly<Record<string, Json>>
  /** The questions that it asked, by id, as they were shown, until it is done. */
  readonly questions?: Readonly<Record<string, Ask>>
}
