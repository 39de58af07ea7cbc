import type { LanguageModelV4Message } from '@ai-sdk/provider'
import type { RunContext } from '../../run.ts'
import type { Usage } from '../../usage.ts'
import type { Piece } from './piece.ts'

/**
 * A way to make the old part of a conversation shorter. What it gives has to be a conversation that providers take: whole
 * pieces, in order, and messages of the user between them.
 */
export interface CompactionStrategy {
  readonly name: string
  shorten(old: OldPart, run: RunContext): Shortened | PromiseLike<Shortened>
}

/** What is to be made shorter. All counts of tokens are estimates. */
export interface OldPart {
  readonly pieces: readonly Piece[]
  /** The user's first request, and the current one where it is old already. They must not be lost. */
  readonly requests: ReadonlySet<Piece>
  /** The user's latest message, as text. */
  readonly request: string
  /** How many tokens it may be afterwards. */
  readonly budget: number
  /** How many tokens the model takes at all. */
  readonly contextWindow: number
}

export interface Shortened {
  readonly messages: readonly LanguageModelV4Message[]
  /** What a model took to make it, unless it is in the log already. */
  readonly usage?: Usage
  /** Which strategy made it, where one chose among others. */
  readonly strategy?: string
}
