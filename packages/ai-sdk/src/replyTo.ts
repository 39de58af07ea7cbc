import type { Ask } from '@interleave/core'
import type { AskData } from './runUIMessage.ts'

/** The body of a chat request that answers questions. */
export interface RepliesBody {
  readonly replies: readonly { readonly ask: string; readonly value: unknown }[]
}

/**
 * Answers a question from a chat: what to send no message with. Takes the data of a part `data-ask` or `data-limit`, the
 * descriptor of an approval, or an id.
 *
 * @example
 * <button onClick={() => sendMessage(undefined, replyTo(part.data, 'Munich'))}>Munich</button>
 */
export function replyTo(asked: AskData | Ask | string, value: unknown): { body: RepliesBody } {
  const ask = typeof asked === 'string' ? asked : 'ask' in asked ? asked.ask.id : asked.id
  return { body: { replies: [{ ask, value }] } }
}
