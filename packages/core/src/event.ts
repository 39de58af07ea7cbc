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
import type { Ask } from './question.ts'
import type { RemoteLink } from './remoteLink.ts'
import type { Signal } from './signal.ts'
import type { ModelId, Usage } from './usage.ts'

/**
 * Everything that happens in a run and is kept. Plain JSON, closed, in one total order: `seq` counts from 0 without gaps.
 * `iteration` is the turn it belongs to, counted from 1; 0 is before the first.
 */
export type Event = Stamp & EventBody
export interface Stamp {
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
  | Called
  | Observed
  | Amended
  | Asked
  | Replied
  | Withdrawn
  | Compacted
  | Noted
  | Resumed
  | Imported
  | Rested

/** The first event of every log. */
export interface Started {
  readonly type: 'started'
  readonly runId: string
  readonly agent: string
  readonly version: string
  /** The format of the log; 1 where it is not named. */
  readonly format?: number
  /** The run that this one was made of, up to and with the event `seq`. */
  readonly forkedFrom?: { readonly runId: string; readonly seq: number }
  /** The run that this one works for, where it is a part of another. */
  readonly parent?: Parent
  /** Streams of events and exports are without the agent's thoughts. */
  readonly exposeReasoning?: false
}
export interface Parent {
  readonly runId: string
  /** What it is to its parent: the key of a tool call, or a name that a step gave. */
  readonly key: string
  /** How many runs stand above it, from 1. */
  readonly depth: number
}
/** Messages of an earlier conversation, taken over as they are. */
export interface Seeded {
  readonly type: 'seeded'
  readonly messages: readonly LanguageModelV4Message[]
}
/** A message for the model: from the user, or a reminder by one of the agent's own steps. */
export interface Said {
  readonly type: 'said'
  readonly by: 'user' | 'agent'
  readonly content: UserContent
  /** Who said it named it, so that it is not said twice. */
  readonly key?: string
  /** This page shows it already, and the server does not have it yet. It is in no journal. */
  readonly isSending?: true
}
/**
 * What has arrived of a long turn that still streams, so that not all of it is lost if the page goes away. Void once the turn
 * is in the log; empty where the turn is tried anew.
 */
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
  /** Every message with a lower `seq` was in its prompt; 0 where the turn is void, and they are still to be heard. */
  readonly heard: number
  readonly finish?: LanguageModelV4FinishReason
  readonly warnings?: readonly SharedV4Warning[]
  readonly providerMetadata?: Record<string, JSONObject>
  readonly responseId?: string
  /** Why the turn was cut off. Its parts are what had arrived by then. */
  readonly error?: Failure
}
/** A tool is about to run. A claim: durable before the tool starts. */
export interface Called {
  readonly type: 'called'
  /** The key of the call, such as `3/tool/0`. */
  readonly call: string
  /** The input that was approved, where the person changed it. */
  readonly input?: Json
  /** It keeps a log of its own, so that a stop leaves it open and it goes on where it was. */
  readonly resumes?: true
}
/** What a call came to. Every call gets exactly one. */
export interface Observed {
  readonly type: 'observed'
  readonly call: string
  /** What the model is given. */
  readonly result: LanguageModelV4ToolResultOutput
  /** What the tool returned, where the model is given something else. */
  readonly output?: Json
  readonly error?: Failure
  readonly ms: number
  /** It is the answer: no turn follows, and the run is to rest with it. */
  readonly final?: true
}
/**
 * The model is given something else than what was said, asked or observed; the log keeps what it was. Only what no turn has
 * read yet can be amended: a message that is still pending, or a call of the latest turn.
 */
export interface Amended {
  readonly type: 'amended'
  /** The `seq` of the message, or the key of the call. */
  readonly of: number | string
  /** Of a message. */
  readonly content?: UserContent
  /** Of a call that is not begun. */
  readonly input?: Json
  /** Of a call that is observed. */
  readonly result?: LanguageModelV4ToolResultOutput
  /** With a result: what the tool returned, as the app is to see it. Without one the app sees what the model does. */
  readonly output?: Json
  /** Who amended it, and why. */
  readonly reason: string
}
/** A question for a person is open. */
export interface Asked {
  readonly type: 'asked'
  readonly ask: Ask
}
/** A question is answered. */
export interface Replied {
  readonly type: 'replied'
  /** The id of the question. */
  readonly ask: string
  readonly value: Json
  /** A tool that is begun was waiting for it, and goes on with it once it is kept. */
  readonly taken?: true
}
/** A question needs no answer any more: who asked it went on without one. */
export interface Withdrawn {
  readonly type: 'withdrawn'
  /** The id of the question. */
  readonly ask: string
}
/** From here on the model is given `messages` instead of all but the last `keep` entries. The history keeps everything. */
export interface Compacted {
  readonly type: 'compacted'
  readonly messages: readonly LanguageModelV4Message[]
  readonly keep: number
  /** Which strategy made it. */
  readonly strategy?: string
  /** About how many tokens the model was and is now given. */
  readonly before?: number
  readonly after?: number
  /** What a model took to make it. */
  readonly usage?: Usage
}
/** Something a step or a tool wants to find again: results of `once`, reflections, a place in a graph. */
export interface Noted {
  readonly type: 'noted'
  readonly key: string
  readonly value: Json
  /** The call it belongs to; without one it belongs to the run. */
  readonly call?: string
  /** What was used up to know it, such as by a further model or a run of another agent. */
  readonly usage?: Usage
}
/** The run goes on from a rest without a new message, or long after the page went away in which it worked. */
export interface Resumed {
  readonly type: 'resumed'
}
/**
 * The log so far came from elsewhere, such as a file. The run rests until a user continues it here, and nothing that the log
 * calls approved or answered counts for what is still open: it is asked again.
 */
export interface Imported {
  readonly type: 'imported'
}
/** Nothing goes on any more, and the signal says why. */
export interface Rested {
  readonly type: 'rested'
  readonly signal: Signal
}

/** What happens between events and is worth showing, and is not kept. */
export type LiveEvent = Thinking | Delta | Progressed | Retrying | Dropped | Rewound | Owned | Linked

/** A turn begins. */
export interface Thinking {
  readonly type: 'thinking'
  readonly iteration: number
  /** Told to whoever joins in the middle of it: messages with a lower `seq` may be in its prompt. */
  readonly heard?: number
}
/** A piece of text, reasoning or tool input, as it streams. */
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
/** A model call failed and is tried again; what had arrived of it is void. */
export interface Retrying {
  readonly type: 'retrying'
  readonly attempt: number
  readonly inMs: number
  readonly error: Failure
  readonly model: ModelId
}
/** A tool came back after its time was up. Its result is not used. */
export interface Dropped {
  readonly type: 'dropped'
  readonly call: string
}
/** Somebody else went on with the run: of what was told only the first `to` events were kept. Those that were follow. */
export interface Rewound {
  readonly type: 'rewound'
  readonly to: number
}
/** The run works somewhere else now. Only runs that several places share tell it. */
export interface Owned {
  readonly type: 'owned'
  readonly by: Owner
}
/** Where a run works, as seen from here. `nobody` is for the moment between two owners. */
export type Owner = 'here' | 'elsewhere' | 'nobody'

/** How the page is connected to the server has changed. Only runs of a server tell it. */
export interface Linked {
  readonly type: 'linked'
  readonly link: RemoteLink
}

/** What listeners hear. */
export type AnyEvent = Event | LiveEvent

/** Whether an event is part of the log. */
export const isKept = (event: AnyEvent): event is Event => 'seq' in event
