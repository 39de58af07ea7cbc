import type { LanguageModelV4Message } from '@ai-sdk/provider'
import type { UserContent } from '@interleave/core'
import type { MessageView } from './messageView.ts'

/** What a chat shows, in its order. */
export type ChatItem = UserItem | SeededItem | MessageView

export interface UserItem {
  readonly role: 'user'
  /** The key it was said with, or its place in the log. */
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
