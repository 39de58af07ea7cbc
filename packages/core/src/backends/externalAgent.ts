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

/** The input of an external agent for a turn. */
export interface ExternalTurn {
  /** The messages since its own last turn, for an agent that keeps its session. */
  readonly news: readonly LanguageModelV4Message[]
  /** The whole conversation. */
  readonly messages: readonly LanguageModelV4Message[]
  readonly instructions?: string
  /** The JSON Schema of the answer, where it is to have one. */
  readonly outputSchema?: JsonSchema
  /** The last session that it reported. */
  readonly sessionId?: string
  /** True if this turn was already started in that session, and was interrupted. */
  readonly resumed: boolean
  readonly abortSignal: AbortSignal
  /**
   * Asks a user and waits. The id must be the same when the turn starts again after a reload: the question is then
   * still open, or its answer returns immediately.
   */
  ask<T>(id: string, question: Asking<T>): Promise<T>
}

/** An event of an external agent. `done` is the last. */
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
