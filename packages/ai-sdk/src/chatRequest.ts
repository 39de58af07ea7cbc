import type { Run } from '@interleave/core'
import type { UIMessage } from 'ai'
import type { Showing } from './showing.ts'

/** What a chat asks for, as the AI SDK says it. */
export interface ChatRequest {
  readonly trigger: 'submit-message' | 'regenerate-message'
  readonly chatId: string
  readonly messageId: string | undefined
  readonly messages: readonly UIMessage[]
  readonly body?: object | undefined
}

/** A run that goes on, and what of it is to be told. */
export interface Sending {
  readonly run: Run
  readonly showing: Showing
  /** The steps that the chat has already. */
  readonly known?: number
  /** Nothing came of it, and the chat is not to ask again by itself. */
  readonly isIdle?: boolean
}
