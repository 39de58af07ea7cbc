import type { Failure } from '@interleave/core'
import type { CallMessage, ChatMessage, TextMessage } from '@interleave/core/observe'
import { type Spoken, sentencesOf } from './sentences.ts'

/** Something that a screen reader says about a run. */
export type Announcement =
  | { readonly type: 'text'; readonly spoken: Spoken }
  | { readonly type: 'failed'; readonly tool: string; readonly error: Failure }
  | { readonly type: 'refused'; readonly tool: string }
  | { readonly type: 'stopped' }

/**
 * Turns the messages of a run into what a screen reader says: each finished sentence of the agent once, calls that failed
 * or were refused, and that the run was stopped. The messages that are there at first are not said, since the user did
 * not wait for them.
 */
export class Narrator {
  /** The messages as they are, of which everything is said. */
  #read = new WeakSet<ChatMessage>()
  /** The beginnings of the texts that are said, by the keys of the messages. */
  readonly #said = new Map<string, string>()
  readonly #ended = new Set<string>()

  constructor(messages: readonly ChatMessage[]) {
    for (const message of messages) {
      this.#read.add(message)
      if (message.type === 'text') this.#said.set(message.key, message.text)
      if (message.type === 'settled' || (message.type === 'call' && hasEnded(message))) this.#ended.add(message.key)
    }
  }

  /** Returns what is new in the messages. */
  next(messages: readonly ChatMessage[], locale: string): readonly Announcement[] {
    return messages.flatMap((message) => {
      if (this.#read.has(message)) return []
      this.#read.add(message)
      if (message.type === 'text') return this.#text(message, locale)
      if (message.type === 'call') return this.#call(message)
      if (message.type !== 'settled' || this.#ended.has(message.key)) return []
      this.#ended.add(message.key)
      return message.signal.type === 'stopped' ? [{ type: 'stopped' } as const] : []
    })
  }

  #text({ key, text, isStreaming }: TextMessage, locale: string): readonly Announcement[] {
    const said = this.#said.get(key) ?? ''
    // A turn that streams again, as after a lost connection, has its beginning said.
    if (isStreaming && said.startsWith(text)) return []
    // One that is tried again may have another text.
    const from = text.startsWith(said) ? said.length : 0
    const { spoken, end } = sentencesOf(text, { locale, from, isDone: !isStreaming })
    this.#said.set(key, text.slice(0, end))
    return spoken.map((one) => ({ type: 'text', spoken: one }))
  }

  #call(message: CallMessage): readonly Announcement[] {
    const { key, tool, state, error } = message
    if (!hasEnded(message) || this.#ended.has(key)) return []
    this.#ended.add(key)
    if (state === 'refused') return [{ type: 'refused', tool }]
    return state === 'failed' ? [{ type: 'failed', tool, error }] : []
  }
}

const hasEnded = ({ state }: CallMessage): boolean => state === 'done' || state === 'failed' || state === 'refused'
