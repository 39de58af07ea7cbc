import type { Run, RunState } from '@interleave/core'
import { type ChatMessage, messagesOf } from '@interleave/core/observe'
import { useCallback } from 'react'
import { useRun } from './useRun.ts'

/**
 * What a chat shows of a run, oldest first: messages of the user, texts with the one that streams, calls of tools, questions
 * and their answers. What is finished stays the same object, so a memoised component for a message renders only while it grows.
 *
 * @example
 * const messages = useMessages(run)
 * return messages.map((message) => <Message key={message.key} message={message} />)
 */
export function useMessages(run: Run | undefined): readonly ChatMessage[] {
  const select = useCallback((state: RunState) => (run ? messagesOf(run, state) : none), [run])
  return useRun(run, select)
}

const none: readonly ChatMessage[] = []
