import type { LanguageModelV4Message } from '@ai-sdk/provider'
import type { RunContext } from '../../run.ts'
import type { Usage } from '../../usage.ts'
import type { Piece } from './piece.ts'

/**
 * A way to shorten the old part of a conversation. Its result must be a conversation that providers accept: whole
 * groups, in order, and user messages between them.
 */
export interface CompactionStrategy {
  readonly name: string
  shorten(old: OldPart, run: RunContext): Shortened | PromiseLike<Shortened>
}

/** The part to shorten. All token counts are estimates. */
export interface OldPart {
  readonly pieces: readonly Piece[]
  /** The user's first request, and the current one where it is old already. They must not be lost. */
  readonly requests: ReadonlySet<Piece>
  /** The user's latest message, as text. */
  readonly request: string
  /** The maximum tokens of the result. */
  readonly budget: number
  /** The model's token limit. */
  readonly contextWindow: number
}

export interface Shortened {
  readonly messages: readonly LanguageModelV4Message[]
  /** The usage of a model that made it, unless it is in the log already. */
  readonly usage?: Usage
  /** Which strategy made it, where one chose among others. */
  readonly strategy?: string
}
