import type { LanguageModelV4Message } from '@ai-sdk/provider'
import type { Asking } from '../ask.ts'
import type { Json } from '../json.ts'
import type { JsonSchema } from '../schema.ts'

/** An agent that runs elsewhere with a loop and tools of its own: a coding agent, a service, another SDK. */
export interface ExternalAgent {
  readonly name: string
  /** One turn: from what is new to its answer. Has to end when the turn's signal aborts. */
  run(turn: ExternalTurn): AsyncIterable<ExternalEvent>
}

/** What an external agent is given for a turn. */
export interface ExternalTurn {
  /** What has happened since its own last turn: enough for one that keeps its session. */
  readonly news: readonly LanguageModelV4Message[]
  /** The whole conversation. */
  readonly messages: readonly LanguageModelV4Message[]
  readonly instructions?: string
  /** The JSON Schema of the answer, where it is to have one. */
  readonly outputSchema?: JsonSchema
  /** The session that it told of last. */
  readonly sessionId?: string
  /** Whether this very turn was begun before in that session, and broke off. */
  readonly resumed: boolean
  readonly abortSignal: AbortSignal
  /**
   * Asks a person and waits. The id has to be the same when the turn is begun again after a reload: the question is then
   * still open, or its answer comes at once.
   */
  ask<T>(id: string, question: Asking<T>): Promise<T>
}

/** What an external agent tells, as it happens. `done` is the last. */
export type ExternalEvent =
  | { readonly type: 'session'; readonly id: string }
  | { readonly type: 'text'; readonly delta: string }
  | { readonly type: 'reasoning'; readonly delta: string }
  /** It uses a tool of its own. */
  | { readonly type: 'toolCall'; readonly id: string; readonly name: string; readonly input: Json }
  | { readonly type: 'toolResult'; readonly id: string; readonly output: Json; readonly isError?: boolean }
  /** Used up since the last such event. */
  | { readonly type: 'usage'; readonly input: number; readonly output: number; readonly cachedInput?: number }
  /** The answer is `output`, or else the text of the turn. */
  | { readonly type: 'done'; readonly output?: Json }
  | { readonly type: 'error'; readonly message: string; readonly retryable?: boolean }
