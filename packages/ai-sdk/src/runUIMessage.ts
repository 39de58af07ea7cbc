import type { Ask, Json, Signal, Usage } from '@interleave/core'
import { assertOption, DEV } from '@interleave/core/internal'
import type { UIMessage } from 'ai'

/** A message of a chat with a run behind it, as `useChat<RunUIMessage>()` shows it. */
export type RunUIMessage = UIMessage<ChatMetadata, ChatData>

/** The metadata of an answer of the agent. */
export interface ChatMetadata {
  readonly runId: string
  readonly agent: string
  /** Its usage, once it is complete. */
  readonly usage?: Usage
  /** The run's signal, once it has settled. */
  readonly signal?: Signal['type']
}

/** The data parts, by the part of their type after `data-`. */
export type ChatData = {
  /** A question for a user and its outcome. */
  ask: AskData
  /** A limit's question. */
  limit: AskData
  /** An answer that is not a string. */
  answer: { readonly output: Json }
  /** A model failed and is retried. Not persisted: `useChat({ onData })` receives it. */
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

/** The body of a chat request that answers questions. */
export interface RepliesBody {
  readonly replies: readonly { readonly ask: string; readonly value: unknown }[]
}

/**
 * Answers a question from a chat: pass the result to `sendMessage` without a message. Takes the data of a part
 * `data-ask` or `data-limit`, the descriptor of an approval, or an id.
 *
 * @example
 * <button onClick={() => sendMessage(undefined, replyTo(part.data, 'Munich'))}>Munich</button>
 */
export function replyTo(asked: AskData | Ask | string, value: unknown): { body: RepliesBody } {
  const given: Partial<AskData & Ask> = Object(typeof asked === 'string' ? { id: asked } : asked)
  const { id: ask = '' } = given.ask ?? given
  assertOption(ask, DEV && 'replyTo() needs the data of a question, the question, or its id.')
  return { body: { replies: [{ ask, value }] } }
}
