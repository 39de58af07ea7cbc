import { AgentError } from '@interleave/core'
import type { ChatRequest, Sending } from './chatRequest.ts'
import type { ChatRuns } from './chatRuns.ts'
import { fromUIMessages } from './fromUIMessages.ts'
import { answerTo } from './showing.ts'
import { fromUserParts } from './userParts.ts'

/** Begins the run of a chat with its last message. Those before it are the history. */
export function startChat(runs: ChatRuns, { chatId, messages }: ChatRequest): Sending {
  const last = messages.at(-1)
  if (last?.role !== 'user') {
    throw new AgentError('run_unknown', `The chat "${chatId}" has no run to continue. Send a message first.`)
  }
  const history = fromUIMessages(messages.slice(0, -1))
  const run = runs.start(chatId, fromUserParts(last), { key: last.id, ...(history.length > 0 && { history }) })
  return { run, showing: answerTo(last.id) }
}
