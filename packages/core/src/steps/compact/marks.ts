import type { LanguageModelV4Message } from '@ai-sdk/provider'

/**
 * The kind of a message that compaction added. Stored next to its content, where providers ignore it, so that a later
 * compaction recognizes it.
 */
export type Mark =
  | { readonly kind: 'reminder' }
  | { readonly kind: 'asked' }
  | { readonly kind: 'summary' }
  | { readonly kind: 'omission'; readonly turns: number; readonly messages: number }

type Message = LanguageModelV4Message

/** The message with its mark. */
export const marked = <M extends Message>(message: M, mark: Mark): M => ({
  ...message,
  providerOptions: { ...message.providerOptions, interleave: { ...message.providerOptions?.interleave, ...mark } },
})

export function markOf({ providerOptions }: Message): Mark | undefined {
  const kind = providerOptions?.interleave?.kind
  return typeof kind === 'string' ? (providerOptions?.interleave as unknown as Mark) : undefined
}

/** A summary of what went before, as the model is given it. */
export const summaryMessage = (text: string): Message =>
  marked({ role: 'user', content: [{ type: 'text', text: `${summaryHead}\n\n${text}` }] }, { kind: 'summary' })

const summaryHead =
  'This summary stands for the earlier part of the conversation. It tells what happened and asks for nothing by itself.'

/** Returns a message that says how much is omitted there. */
export function omissionMessage({ turns, messages }: { turns: number; messages: number }): Message {
  const counts = [countOf(turns, 'turn'), countOf(messages, 'message')].filter(Boolean).join(' and ')
  const text = `[Left out here: ${counts || 'the earlier part of the conversation'}.]`
  return marked({ role: 'user', content: [{ type: 'text', text }] }, { kind: 'omission', turns, messages })
}

const countOf = (count: number, noun: string): string =>
  count === 0 ? '' : `${count} earlier ${noun}${count === 1 ? '' : 's'}`
