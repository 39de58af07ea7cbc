import type { Ask, Json, Signal, Usage } from '@interleave/core'
import type { UIMessageChunk } from 'ai'
import type { AskData } from './runUIMessage.ts'

/** One answer of the agent as a chat shows it, made of the log alone. Never changed: each event makes a new one. */
export interface MessageView {
  readonly role: 'assistant'
  readonly id: string
  /** The position in the log of the user message that it answers. */
  readonly said: number
  readonly runId: string
  readonly agent: string
  readonly steps: readonly StepView[]
  readonly usage: Usage
  /** The run's signal after it. */
  readonly rest?: Signal | undefined
}

/** A turn of the model and what came of it, or a question that no call asks. */
export interface StepView {
  readonly blocks: readonly Block[]
  /** The number of the turn. */
  readonly turn?: number
  /** The turn still streams, and is not in the log. */
  readonly isOpen?: boolean
}

export type Block = TextBlock | ToolBlock | DataBlock | FixedBlock

export interface TextBlock {
  readonly type: 'text' | 'reasoning'
  readonly id: string
  readonly text: string
  readonly isDone: boolean
  readonly grown?: Grown
}
export interface ToolBlock {
  readonly type: 'tool'
  /** Unlike the provider's id, which repeats, the only one of its run. */
  readonly id: string
  readonly name: string
  /** The key of the call in the log, if it is ours to run or to allow. */
  readonly key?: string
  /** The input as it streams in. */
  readonly inputText: string
  readonly grown?: Grown
  /** Absent while it streams. */
  readonly input?: Json
  /** Why the input could not be parsed. */
  readonly invalid?: string
  readonly isProviders?: boolean
  /** The call of a child run that needs a user's approval. */
  readonly title?: string
  readonly approval?: Approval | undefined
  readonly outcome?: ToolOutcome | undefined
}
/** The latest delta of a stream. Comparing everything before would cost more with each delta. */
export interface Grown {
  /** The length before. */
  readonly from: number
  readonly delta: string
}
export interface Approval {
  readonly ask: Extract<Ask, { kind: 'approval' }>
  readonly reply?: { readonly approved: boolean; readonly reason?: string }
}
export type ToolOutcome =
  | { readonly type: 'output'; readonly output: Json; readonly isPreliminary?: boolean }
  | { readonly type: 'error'; readonly text: string }
  | { readonly type: 'denied' }

export type DataBlock =
  | { readonly type: 'data'; readonly name: 'ask' | 'limit'; readonly id: string; readonly data: AskData }
  | { readonly type: 'data'; readonly name: 'answer'; readonly id: string; readonly data: { readonly output: Json } }

/** A part that arrives complete and does not change. */
export interface FixedBlock {
  readonly type: 'fixed'
  readonly chunk: Extract<
    UIMessageChunk,
    { type: 'source-url' | 'source-document' | 'file' | 'reasoning-file' | 'custom' }
  >
}
