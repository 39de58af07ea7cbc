import type { Run } from '@interleave/core'
import { AgentError } from '@interleave/core'
import { isKept } from '@interleave/core/observe'
import type { UserItem } from './chatItems.ts'
import type { ChatRequest, Sending } from './chatRequest.ts'
import type { ChatRuns } from './chatRuns.ts'
import { answerTo } from './showing.ts'
import { shownChat } from './shownChat.ts'

/**
 * Answers a user message again. A failed or stopped run continues, and repeats nothing; otherwise a new run starts with
 * that message.
 */
export async function answerAgain(runs: ChatRuns, run: Run, request: ChatRequest): Promise<Sending> {
  const { item, isLatest } = answered(run, request)
  const { rest } = run.state
  const goesOn = rest?.type === 'failed' || rest?.type === 'stopped'
  if (isLatest && goesOn) await resumed(run)
  if (isLatest && (goesOn || !rest)) return { run, showing: answerTo(item.id) }
  const forked = await runs.fork(request.chatId, run, { at: item.seq })
  const again = shownChat(forked).items.find(
    ({ role, ...other }) => role === 'user' && 'seq' in other && other.seq === item.seq,
  )
  return { run: forked, showing: answerTo(again?.id ?? item.id) }
}

/** The message that is to be answered again: the one that is named, that of the answer that is named, or the last. */
function answered(
  run: Run,
  { messageId, messages }: ChatRequest,
): { readonly item: UserItem; readonly isLatest: boolean } {
  const { items, waiting } = shownChat(run)
  const users = [...items, ...waiting].filter((item): item is UserItem => item.role === 'user')
  const answer = items.find((item) => item.role === 'assistant' && item.id === messageId)
  const item =
    answer?.role === 'assistant'
      ? users.find(({ seq }) => seq === answer.said)
      : users.find(({ id }) => id === (messageId ?? messages.at(-1)?.id))
  if (!item)
    throw new AgentError('options_invalid', `The chat has no message "${messageId}" that can be answered again.`)
  return { item, isLatest: item === users.at(-1) }
}

/** Waits until a remote run has resumed, which takes a moment. */
function resumed(run: Run): Promise<void> {
  return new Promise((resolve) => {
    const leave = run.subscribe((event) => {
      if (!isKept(event)) return
      leave()
      resolve()
    })
    run.resume()
    if (!run.state.rest) {
      leave()
      resolve()
    }
  })
}
