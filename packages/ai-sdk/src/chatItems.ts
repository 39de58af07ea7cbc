import type { LanguageModelV4Message } from '@ai-sdk/provider'
import type { UserContent } from '@interleave/core'
import type { MessageView } from './messageView.ts'

/** An item of a chat, in its order. */
export type ChatItem = UserItem | SeededItem | MessageView

export interface UserItem {
  readonly role: 'user'
  /** Its key, or its position in the log. */
  readonly id: string
  readonly seq: number
  readonly content: UserContent
}
/** Messages of an earlier conversation. */
export interface SeededItem {
  readonly role: 'seeded'
  readonly id: string
  readonly messages: readonly LanguageModelV4Message[]
}

export const isAnswer = (item: ChatItem): item is MessageView => item.role === 'assistant'
