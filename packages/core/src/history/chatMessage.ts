import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Failure } from '../error.ts'
import { cached, type Json } from '../json.ts'
import { messageText, type UserContent } from '../part.ts'
import type { Ask } from '../question.ts'
import type { EventOf } from '../run.ts'
import type { FailedSignal, StoppedSignal } from '../signal.ts'
import type { ModelId } from '../usage.ts'
import { joined } from './scratchpad.ts'

/** One entry of a chat, the same object while nothing in it changes. `ChatMessage<typeof guide>` types its calls. */
export type ChatMessage<Of = unknown> = UserMessage | TextMessage | CallMessage<Of> | QuestionMessage | SettledMessage

export interface UserMessage extends ChatEntry {
  readonly type: 'user'
  readonly content: UserContent
  /** Its text. */
  readonly text: string
  /** The `seq` of its event, as for a fork; -1 while it is `sending`. */
  readonly seq: number
  /** True if it is in the prompt of a turn, which may still stream. */
  readonly isRead: boolean
  /** `sending`: it was said in this page, and its host does not have it yet. */
  readonly state: 'sending' | 'sent'
  /** The sender's key, while it is `sending`. */
  readonly sendKey?: string
}
/** A model's text in one turn, or the answer of a run that no model wrote. */
export interface TextMessage extends ChatEntry {
  readonly type: 'text'
  readonly text: string
  readonly reasoning: string
  readonly isStreaming: boolean
  readonly isAnswer: boolean
  readonly model?: ModelId
  /** Duration of the model call, in milliseconds. */
  readonly ms?: number
  /** The failure that cut off the turn. */
  readonly error?: Failure
}
/** A question for a user, open or not. */
export interface QuestionMessage extends ChatEntry {
  readonly type: 'question'
  /** The question. If the user edited the input of an approval, its prompt is the approved one. */
  readonly ask: Ask
  /** The prompt before the user edited the input, if that changed it. */
  readonly promptBefore?: string
  readonly isOpen: boolean
  /** The reply. Absent too if the question needs no answer any more. */
  readonly reply?: Json
  /** The `seq` of the reply, as for a fork. */
  readonly seq?: number
}
/** The end of the work without an answer. */
export interface SettledMessage extends ChatEntry {
  readonly type: 'settled'
  readonly signal: FailedSignal | StoppedSignal
  /** The reason of the failure. */
  readonly error?: Failure
}

/** Returns the text of a turn, if there is any. */
export function textMessages(turn: EventOf<'thought'>): readonly TextMessage[] {
  const { iteration, at, parts, model, ms, error } = turn
  const [text, reasoning] = [joined({ parts }, 'text'), joined({ parts }, 'reasoning')]
  if (!text.trim() && !reasoning.trim()) return []
  const key = textKey(iteration)
  const cut = error && { error }
  return [{ type: 'text', key, at, text, reasoning, isStreaming: false, isAnswer: false, model, ms, ...cut }]
}

/** Returns the key of a text message, which is the same while it streams and afterwards. */
export const textKey = (iteration: number): string => `${iteration}/text`

/** Returns the messages of an earlier conversation. */
export const seededMessages = ({ seq, messages }: EventOf<'seeded'>): readonly ChatMessage[] =>
  messages.flatMap((message, index): ChatMessage[] => {
    const entry = { key: `seeded/${seq}/${index}`, at: 0 }
    if (message.role === 'user') {
      const text = messageText(message.content)
      return [{ type: 'user', ...entry, seq, content: message.content, text, isRead: true, state: 'sent' }]
    }
    if (message.role !== 'assistant') return []
    const text = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
    return text.trim() ? [{ type: 'text', ...entry, text, reasoning: '', isStreaming: false, isAnswer: false }] : []
  })

/** Yields the messages of the user that no turn has consumed, newest first, each with its index. */
export function* pendingOf(messages: readonly ChatMessage[]): Generator<readonly [number, UserMessage]> {
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]
    if (message?.type !== 'user') continue
    // A turn that consumes a message consumes those before it too.
    if (message.isRead) return
    yield [index, message]
  }
}

/** Returns the index of the first pending message that a turn precedes, or the end of the list. */
export function indexForTurn(
  { pending, end }: { readonly pending: Iterable<readonly [number, UserMessage]>; readonly end: number },
  isLater: (message: UserMessage) => boolean,
): number {
  let position = end
  for (const [index, message] of pending) {
    if (!isLater(message)) return position
    position = index
  }
  return position
}

/** The `seq` of events whose position a state does not contain. */
export const unknownSeq = -1

const consumedOf = new WeakMap<UserMessage, UserMessage>()

/** Returns a message that is in the prompt of a turn: the same object while the turn streams and afterwards. */
export const consumed = (message: UserMessage): UserMessage =>
  cached(consumedOf, message, () => ({ ...message, isRead: true }))

/** The members of every message. */
export interface ChatEntry {
  /** The message's id within its run, the same after a reload. */
  readonly key: string
  /** Milliseconds since the epoch; 0 for seeded and for streaming messages. */
  readonly at: number
}

/**
 * A tool call. Its key is that of the call, such as `3/tool/0`.
 *
 * With the type of an agent or a run, comparing `tool` and `state` narrows `input`, `progress` and `output` to those of
 * the agent's tool. A log may also have calls of tools that the type does not have, such as those of a bundle.
 */
export type CallMessage<Of = unknown> = NamedCall<ToolsOf<Of>>

/** A call of one tool of an agent. */
export type CallOf<Of, Name extends ToolNames<Of>> = Extract<CallMessage<Of>, { readonly tool: Name }>

/** The names of an agent's tools; any string without the type of an agent. */
export type ToolNames<Of> = keyof ToolsOf<Of> & string

/** The tools of an agent or a run. */
export type ToolsOf<Of> = Of extends { readonly toolTypes?: infer Tools } ? Exclude<Tools, undefined> : AnyTools
type AnyTools = Readonly<Record<string, object>>

type NamedCall<Tools> = string extends keyof Tools
  ? CallStates<string, Json, Json>
  : { [Name in keyof Tools & string]: CallStates<Name, InputOf<Tools[Name]>, OutputOf<Tools[Name]>> }[keyof Tools &
      string]

type CallStates<Name extends string, Input, Output> =
  | WrittenCall<Name, PartialOf<Input>>
  | BegunCall<Name, Input, Output>
  | DoneCall<Name, Input, Output>
  | RefusedCall<Name, Input>
  | FailedCall<Name>

interface AnyCall<Name extends string> extends ChatEntry {
  readonly type: 'call'
  readonly tool: Name
  /** The duration in milliseconds. */
  readonly ms?: number
  /** The `seq` of its observation, as for a fork. */
  readonly seq?: number
  /** The id of the permission by which a user allowed it earlier, so no question was asked. */
  readonly permission?: string
  /** The input as text, while it streams. */
  readonly inputText?: string
  readonly progress?: unknown
  readonly output?: unknown
  readonly error?: Failure
}
/** A call whose input the model writes, or that has not started. The input is not checked yet. */
interface WrittenCall<Name extends string, Part> extends AnyCall<Name> {
  readonly state: 'writing'
  /** The part that has arrived; undefined if that is not JSON. */
  readonly input: Part | undefined
  readonly progress?: never
  readonly output?: never
  readonly error?: never
}
/** A call that has started. `working`: its tool runs. `waiting`: it waits for a user. */
interface BegunCall<Name extends string, Input, Output> extends AnyCall<Name> {
  readonly state: 'working' | 'waiting'
  readonly input: Input
  /** The latest preliminary output of a running tool. */
  readonly progress?: Output
  readonly output?: never
  readonly error?: never
}
interface DoneCall<Name extends string, Input, Output> extends AnyCall<Name> {
  readonly state: 'done'
  readonly input: Input
  readonly output: Output
  readonly error?: never
}
/** A call that a user refused. The message of the error is the reason. */
interface RefusedCall<Name extends string, Input> extends AnyCall<Name> {
  readonly state: 'refused'
  readonly input: Input
  readonly output?: Json
  readonly error: Failure
}
interface FailedCall<Name extends string> extends AnyCall<Name> {
  readonly state: 'failed'
  /** The schema may not have accepted it. */
  readonly input: Json | undefined
  /** The text that the model reads. */
  readonly output?: Json
  readonly error: Failure
}

/** The type of the input as the model writes it, which is what the tool's schema accepts. */
type InputOf<Tool> = Tool extends { readonly inputSchema: infer Schema } ? GivenTo<Schema> : Json

/** The type of the input as the tool's schema returns it, which is what a user approves. */
export type ParsedInput<Tool> = Tool extends { readonly inputSchema: infer Schema }
  ? AsJson<
      Schema extends StandardSchemaV1<unknown, infer Output>
        ? Output
        : Schema extends { readonly _type: infer Output }
          ? Output
          : unknown
    >
  : Json

/** The input type of a schema. For a wrapped schema, and for one of an unknown input type, it is the output type. */
type GivenTo<Schema> =
  unknown extends StandardInput<Schema>
    ? AsJson<Schema extends { readonly _type: infer Output } ? Output : never>
    : AsJson<StandardInput<Schema>>

type StandardInput<Schema> = Schema extends StandardSchemaV1<infer Input, unknown> ? Input : never

/** The type of the output as the log has it. */
export type OutputOf<Tool> = Tool extends { readonly execute?: infer Execute }
  ? NonNullable<Execute> extends (...given: never) => infer Returned
    ? AsJson<Yielded<Returned>>
    : ProvidedOutput<Tool>
  : ProvidedOutput<Tool>

type Yielded<Returned> =
  Returned extends AsyncIterable<infer Output> ? Output : Returned extends PromiseLike<infer Output> ? Output : Returned

/** The output type of a tool without a function, whose output comes from a user or from the app. */
type ProvidedOutput<Tool> = Tool extends { readonly outputSchema?: StandardSchemaV1<unknown, infer Output> }
  ? AsJson<Output>
  : Json

/** A value after it was stored as JSON and read again. */
export type AsJson<Value> = Json extends Value
  ? Json
  : Value extends { toJSON(): infer Plain }
    ? AsJson<Plain>
    : Value extends string | number | boolean | null
      ? Value
      : Value extends undefined
        ? null
        : Value extends object
          ? {
              [Key in keyof Value]: undefined extends Value[Key]
                ? AsJson<Exclude<Value[Key], undefined>> | undefined
                : AsJson<Value[Key]>
            }
          : Json

/** A value of which any part may be missing, because it still streams. */
export type PartialOf<Value> = Json extends Value
  ? Json
  : Value extends string | number | boolean | null
    ? Value
    : Value extends readonly (infer Item)[]
      ? readonly PartialOf<Item>[]
      : Value extends object
        ? { readonly [Key in keyof Value]?: PartialOf<Value[Key]> | undefined }
        : Value
