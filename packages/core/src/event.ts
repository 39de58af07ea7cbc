import type {
  JSONObject,
  LanguageModelV4FinishReason,
  LanguageModelV4Message,
  LanguageModelV4ToolResultOutput,
  SharedV4Warning,
} from '@ai-sdk/provider'
import type { Failure } from './error.ts'
import type { Json } from './json.ts'
import type { Part, UserContent } from './part.ts'
import type { Ask, PermissionScope } from './question.ts'
import type { Signal } from './signal.ts'
import type { ModelId, Usage } from './usage.ts'

/**
 * Everything that happens in a run and is persisted. Plain JSON, closed, in one total order: `seq` counts from 0
 * without gaps. `iteration` is the turn it belongs to, counted from 1; 0 is before the first.
 */
export type Event = Stamp & EventBody
interface Stamp {
  readonly seq: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly iteration: number
}

/** An event without its stamp: what a step emits. */
export type EventBody =
  | Started
  | Seeded
  | Said
  | Drafted
  | Thought
  | Claimed
  | Released
  | EffectBegun
  | Observed
  | Amended
  | Asked
  | Replied
  | Withdrawn
  | Permitted
  | Revoked
  | Compacted
  | Noted
  | Resumed
  | Imported
  | Settled

/** The first event of every log. */
interface Started {
  readonly type: 'started'
  readonly runId: string
  readonly agent: string
  readonly version: string
  /** The format of the log; 1 if absent. */
  readonly format?: number
  /** The run that this one was forked from, up to the event `seq`; `alone` if logs of its child runs may be missing. */
  readonly forkedFrom?: { readonly runId: string; readonly seq: number; readonly alone?: true }
  /** The parent run, if this is a child run. */
  readonly parent?: Parent
  /** Streams of events and exports omit the agent's thoughts. */
  readonly exposeReasoning?: false
}
export interface Parent {
  readonly runId: string
  /** Its key in the parent: that of a tool call, or a name that a step chose. */
  readonly key: string
  /** The number of its ancestors, from 1. */
  readonly depth: number
}
/** Messages of an earlier conversation, unchanged. */
interface Seeded {
  readonly type: 'seeded'
  readonly messages: readonly LanguageModelV4Message[]
}
/** A message for the model: from the user, or a reminder by one of the agent's own steps. */
export interface Said {
  readonly type: 'said'
  readonly by: 'user' | 'agent'
  readonly content: UserContent
  /** The sender's key, so that a repeated message is added once. */
  readonly key?: string
  /** The `seq` of a pending message that this one replaces. With the content `""` that message is withdrawn. */
  readonly replaces?: number
}
/** The part of an unfinished turn that has arrived, in case the page closes. Empty if the turn is retried. */
export interface Drafted {
  readonly type: 'drafted'
  readonly text: string
  readonly reasoning: string
}
/** One model turn, finished or cut off. */
export interface Thought {
  readonly type: 'thought'
  readonly model: ModelId
  readonly parts: readonly Part[]
  readonly usage: Usage
  /** Duration of the model call that counted, in milliseconds. */
  readonly ms: number
  /** Every message with a lower `seq` was in its prompt; 0 if the turn is discarded and they are still pending. */
  readonly readUntil: number
  readonly finish?: LanguageModelV4FinishReason
  readonly warnings?: readonly SharedV4Warning[]
  readonly providerMetadata?: Record<string, JSONObject>
  readonly responseId?: string
  /** The failure that cut off the turn. Its parts are those that had arrived. */
  readonly error?: Failure
}
/** A tool is about to run. A claim: durable before the tool starts. */
interface Claimed {
  readonly type: 'claimed'
  /** The key of the call, such as `3/tool/0`. */
  readonly call: string
  /** The approved input, if the user changed it. */
  readonly input?: Json
  /** The approved sentence, if that change changed it. */
  readonly prompt?: string
  /** It has its own log, so a stop leaves it open and it can resume. */
  readonly resumes?: true
}
/** The claim of a call could not be written, or its other side refused it: it has not started. */
interface Released {
  readonly type: 'released'
  readonly call: string
}
/** An effect of a call begins while the call waits for a reply, or is about to ask: it may happen before the reply. */
interface EffectBegun {
  readonly type: 'effectBegun'
  readonly call: string
  /** The name that the call gave to `once`. */
  readonly name: string
}
/** The result of a call. Every call gets exactly one. */
export interface Observed {
  readonly type: 'observed'
  readonly call: string
  /** The result that the model receives. */
  readonly result: LanguageModelV4ToolResultOutput
  /** The tool's output, if the model receives something else. */
  readonly output?: Json
  readonly error?: Failure
  /** The tool's own time, in milliseconds: without the wait for its approval, and for answers to its questions. */
  readonly ms: number
  /** It is the answer: no turn follows, and the run finishes with it. */
  readonly final?: true
}
/**
 * Replaces what the model receives; the log keeps the original. Only content that no turn has read yet can be amended.
 */
interface Amended {
  readonly type: 'amended'
  /** The `seq` of the message, or the key of the call. */
  readonly target: number | string
  /** The new content of a message. */
  readonly content?: UserContent
  /** The new input of a call that has not started. */
  readonly input?: Json
  /** The new result of a call that is observed. */
  readonly result?: LanguageModelV4ToolResultOutput
  /** The new output, for the app. If there is a result but no output, the app sees what the model does. */
  readonly output?: Json
  /** The step that amended it, and its reason. */
  readonly reason: string
}
/** A question for a user is open. */
interface Asked {
  readonly type: 'asked'
  readonly ask: Ask
}
/** A question is answered. */
interface Replied {
  readonly type: 'replied'
  /** The id of the question. */
  readonly ask: string
  readonly value: Json
  /** The prompt of the input that the user approved, if the user changed the input and with it the prompt. */
  readonly prompt?: string
  /** A running tool waited for it, and continues once the reply is durable. */
  readonly awaited?: true
}
/** A question needs no answer any more, because its caller continued without one. */
interface Withdrawn {
  readonly type: 'withdrawn'
  /** The id of the question. */
  readonly ask: string
}
/** A question is not asked, because an earlier reply answers it: the user allowed such calls. */
interface Permitted {
  readonly type: 'permitted'
  readonly ask: Ask
  /** The id of the permission. */
  readonly by: string
  /**
   * Set if the permission outlives its run, so `state.permissions` does not have it: its scope, and since when it applies.
   */
  readonly persistent?: { readonly scope: PermissionScope; readonly at: number }
}
/** A permission for later calls is taken back. */
interface Revoked {
  readonly type: 'revoked'
  /** The id of the permission. */
  readonly id: string
}
/** From here the model receives `messages` instead of all but the last `keep` entries. The history keeps everything. */
export interface Compacted {
  readonly type: 'compacted'
  readonly messages: readonly LanguageModelV4Message[]
  readonly keep: number
  /** The strategy that made it. */
  readonly strategy?: string
  /** The approximate tokens of the prompt before and after. */
  readonly before?: number
  readonly after?: number
}
/** A value that a step or a tool finds again later: results of `once`, reflections, a position in a graph. */
export interface Noted {
  readonly type: 'noted'
  readonly key: string
  readonly value: Json
  /** The call it belongs to; without one it belongs to the run. */
  readonly call?: string
  /** The usage of computing it, such as that of another model or a child run. */
  readonly usage?: Usage
}
/** The run continues without a new message, or long after its page closed. */
interface Resumed {
  readonly type: 'resumed'
}
/** The log so far came from elsewhere. The run waits for a user here, and what is open is asked again. */
interface Imported {
  readonly type: 'imported'
}
/** The run has paused or finished; the signal says why. */
interface Settled {
  readonly type: 'settled'
  readonly signal: Signal
}

/** Events for observers that are not persisted. */
export type LiveEvent = Thinking | Delta | Progressed | Retrying | Dropped | Rewound | Owned | Linked | Sending | Saving

/** A turn starts. */
interface Thinking {
  readonly type: 'thinking'
  readonly iteration: number
  /** Sent to a client that joins in the middle of it: messages with a lower `seq` may be in its prompt. */
  readonly readUntil?: number
}
/** A delta of text, reasoning or tool input. */
export interface Delta {
  readonly type: 'delta'
  readonly kind: 'text' | 'reasoning' | 'input'
  /** The call whose input it is, by the provider's id. */
  readonly id?: string
  readonly tool?: string
  readonly delta: string
}
/** Preliminary output of a tool that is still running. */
export interface Progressed {
  readonly type: 'progressed'
  readonly call: string
  readonly output: Json
}
/** A model call failed and is retried; the part that had arrived is void. */
interface Retrying {
  readonly type: 'retrying'
  readonly attempt: number
  readonly inMs: number
  readonly error: Failure
  readonly model: ModelId
}
/** A tool returned after its time was up. Its result is not used. */
interface Dropped {
  readonly type: 'dropped'
  readonly call: string
}
/** Another owner took over, and only the first `to` events were persisted. The correct events follow. */
interface Rewound {
  readonly type: 'rewound'
  readonly to: number
}
/** The run executes elsewhere now. Only shared runs emit it. */
interface Owned {
  readonly type: 'owned'
  readonly by: Owner
}
/** The location of a run, as seen from here. `nobody` is for the moment between two owners. */
export type Owner = 'here' | 'elsewhere' | 'nobody'

/** The connection of the page to the server has changed. Only runs of a server emit it. */
interface Linked {
  readonly type: 'connection'
  readonly connection: ConnectionState
}

/** The messages that this page sends to the host of the run have changed: `state.sending`. Only runs that execute elsewhere emit it. */
interface Sending {
  readonly type: 'sending'
  readonly messages: readonly SendingMessage[]
}

/** Writes to the journal fail and are tried again, or, without `trouble`, no longer: `state.saving`. */
interface Saving {
  readonly type: 'saving'
  readonly trouble?: SavingTrouble
}

/** A failed write to the journal, which is tried again. Nothing is lost while the run stays in memory. */
export interface SavingTrouble {
  /** The number of failed attempts. */
  readonly attempt: number
  /** Milliseconds until the next one. */
  readonly inMs: number
}

/** A message on its way to the host of a run. */
export interface SendingMessage {
  /** The sender's key. */
  readonly key: string
  readonly at: number
  readonly content: UserContent
  /** The `seq` of a pending message that it replaces. With the content `""` that message is withdrawn. */
  readonly replaces?: number
  /** The run works on something else: the message waits for a later turn. */
  readonly waits?: true
}

/** Any event that a listener receives. */
export type AnyEvent = Event | LiveEvent

/** Returns true for events of the log. */
export const isKept = (event: AnyEvent): event is Event => (event as Partial<Stamp>).seq !== undefined

/** The page's connection to the server for one run. */
export type ConnectionState =
  | { readonly type: 'connecting' }
  /** `isPolling` is true while the page asks again and again, since a proxy holds back the stream of events. */
  | { readonly type: 'connected'; readonly isPolling?: true }
  /**
   * No connection. The next attempt is at this time, in milliseconds since the epoch, and immediately when the device
   * is online again. There is an error unless the server ended the stream.
   */
  | { readonly type: 'waiting'; readonly until: number; readonly error?: Failure }
  /**
   * The server refuses this page, for example because its session has expired. The next command asks it again, and so does
   * the page from time to time.
   */
  | { readonly type: 'refused'; readonly error: Failure }
