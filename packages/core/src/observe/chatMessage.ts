import type { Failure } from '../error.ts'
import type { Json } from '../json.ts'
import type { UserContent } from '../part.ts'
import type { Ask } from '../question.ts'
import type { FailedSignal, StoppedSignal } from '../signal.ts'
import type { ModelId } from '../usage.ts'

/** One entry of a chat. The same object while nothing in it changes. */
export type ChatMessage = UserMessage | TextMessage | CallMessage | QuestionMessage | RestMessage

interface Placed {
  /** Names it within its run, from the first time it is shown, and also after a reload. */
  readonly key: string
  /** Milliseconds since the epoch; 0 for what was seeded, and for what still streams. */
  readonly at: number
}
/** A user message. */
export interface UserMessage extends Placed {
  readonly type: 'user'
  readonly content: UserContent
  /** The words of it. */
  readonly text: string
  /** The `seq` of its event, as for a fork. */
  readonly seq: number
  /** It is in the prompt of a turn, which may still stream. */
  readonly isHeard: boolean
  /** It was said in this page, and the server does not have it yet. */
  readonly isSending?: true
}
/** A model's text in one turn, or the answer of a run that no model wrote. */
export interface TextMessage extends Placed {
  readonly type: 'text'
  readonly text: string
  readonly reasoning: string
  readonly isStreaming: boolean
  readonly isAnswer: boolean
  readonly model?: ModelId
  /** Milliseconds that the model took. */
  readonly ms?: number
  /** Why the turn was cut off. */
  readonly error?: Failure
}
/** A call of a tool. Its key is that of the call, such as `3/tool/0`. */
export interface CallMessage extends Placed {
  readonly type: 'call'
  readonly tool: string
  /** `writing`: its input still streams. `waiting`: for a user. */
  readonly state: 'writing' | 'working' | 'waiting' | 'done' | 'failed'
  /** While it is written, the text that has arrived of it. */
  readonly input: Json
  /** The latest preliminary output of a running tool. */
  readonly progress?: Json
  readonly output?: Json
  readonly error?: Failure
  /** Milliseconds that it took. */
  readonly ms?: number
  /** The `seq` of what it came to, as for a fork. */
  readonly seq?: number
}
/** A question for a user, open or not. */
export interface QuestionMessage extends Placed {
  readonly type: 'question'
  readonly ask: Ask
  readonly isOpen: boolean
  /** Absent too where it needs no answer any more. */
  readonly reply?: Json
  /** The `seq` of the reply, as for a fork. */
  readonly seq?: number
}
/** Where the work ended without an answer. */
export interface RestMessage extends Placed {
  readonly type: 'rest'
  readonly signal: FailedSignal | StoppedSignal
}
