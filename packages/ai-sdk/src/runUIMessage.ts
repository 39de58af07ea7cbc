import type { Ask, Json, Signal, Usage } from '@interleave/core'
import type { UIMessage } from 'ai'

/** A message of a chat that a run is behind: what `useChat<RunUIMessage>()` shows. */
export type RunUIMessage = UIMessage<ChatMetadata, ChatData>

/** Of an answer of the agent. */
export interface ChatMetadata {
  readonly runId: string
  readonly agent: string
  /** What it took, once it is whole. */
  readonly usage?: Usage
  /** Why the run rests, once it does. */
  readonly signal?: Signal['type']
}

/** The data parts, by what follows `data-` in their type. */
export type ChatData = {
  /** A question for a person, and what became of it. */
  ask: AskData
  /** A limit is reached: the question whether to go on. */
  limit: AskData
  /** An answer that is no text. */
  answer: { readonly output: Json }
  /** A model failed and is asked again. Not kept: `useChat({ onData })` hears of it. */
  retrying: { readonly attempt: number; readonly inMs: number; readonly message: string }
}

export interface AskData {
  readonly runId: string
  readonly ask: Ask
  /** `withdrawn`: it needs no answer any more. */
  readonly state: 'open' | 'answered' | 'withdrawn'
  /** The answer. */
  readonly reply?: Json
}
