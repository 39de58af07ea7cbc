import type { Run, RunState } from '@interleave/core'
import { type ChatMessage, messagesOf } from '@interleave/core/observe'
import { useCallback } from 'react'
import { useRun } from './useRun.ts'

/**
 * Returns the chat messages of a run, oldest first: user messages, texts including the streaming one, tool calls,
 * questions and their answers. A finished message keeps its identity, so a memoised component renders only while its
 * message grows.
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
