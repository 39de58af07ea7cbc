import type { Run } from '@interleave/core'
import type { UIMessage } from 'ai'
import type { Showing } from './showing.ts'

/** A request of a chat, as the AI SDK sends it. */
export interface ChatRequest {
  readonly trigger: 'submit-message' | 'regenerate-message'
  readonly chatId: string
  readonly messageId: string | undefined
  readonly messages: readonly UIMessage[]
  readonly body?: object | undefined
}

/** A continuing run, and the part of it to stream. */
export interface Sending {
  readonly run: Run
  readonly showing: Showing
  /** The steps that the chat has already. */
  readonly known?: number
  /** Nothing came of it, and the chat is not to ask again by itself. */
  readonly isIdle?: boolean
}
