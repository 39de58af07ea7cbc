import type { Run } from '@interleave/core'
import { AgentError } from '@interleave/core'
import { canonicalJson, plainContent, toJson } from '@interleave/core/internal'
import type { UIMessage } from 'ai'
import { answerAgain } from './answerAgain.ts'
import type { ChatRequest, Sending } from './chatRequest.ts'
import type { ChatRuns } from './chatRuns.ts'
import { repliesIn } from './repliesIn.ts'
import { answerTo, goneOn } from './showing.ts'
import { shownChat } from './shownChat.ts'
import { startChat } from './startChat.ts'
import { fromUserParts } from './userParts.ts'

/** Does what a chat asks for: begins its run, says a message to it, answers its questions, or has it answer again. */
export async function send(runs: ChatRuns, request: ChatRequest): Promise<Sending> {
  const run = await runs.find(request.chatId)
  if (!run) return startChat(runs, request)
  if (request.trigger === 'regenerate-message') return answerAgain(runs, run, request)
  const replies = repliesIn(request, shownChat(run))
  for (const { ask, value } of replies) await run.reply(ask, value)
  const last = request.messages.at(-1)
  if (last?.role === 'user') return say(runs, run, { chatId: request.chatId, message: last })
  const isIdle = replies.length === 0 && run.state.rest !== undefined
  return { run, isIdle, ...goOn(run, request) }
}

/** A message that was said is not said again. One that says something else now begins a new run there. */
async function say(
  runs: ChatRuns,
  run: Run,
  { chatId, message }: { readonly chatId: string; readonly message: UIMessage },
): Promise<Sending> {
  const content = plainContent(fromUserParts(message))
  const { items, waiting } = shownChat(run)
  const said = [...items, ...waiting].find((item) => item.role === 'user' && item.id === message.id)
  const showing = answerTo(message.id)
  if (said?.role === 'user') {
    if (canonicalJson(toJson(said.content)) === canonicalJson(toJson(content))) return { run, showing }
    const edited = await runs.fork(chatId, run, { at: said.seq, edit: { content } })
    return { run: edited, showing }
  }
  checkFree(run)
  await run.say(content, { key: message.id })
  return { run, showing }
}

/**
 * Throws if the run is working: the message would be received after the answer, and the chat would look broken until
 * then.
 */
function checkFree({ state: { rest } }: Run): void {
  if (rest?.type !== 'inputNeeded') return
  const prompts = rest.asks.map(({ prompt }) => `"${prompt}"`).join(', ')
  throw new AgentError(
    'run_busy',
    `The run waits for an answer to ${prompts}. Answer it first; useChat({ experimental_queue: true }) keeps messages until then.`,
  )
}

function goOn(run: Run, { messages, messageId }: ChatRequest): Pick<Sending, 'showing' | 'known'> {
  const message = messages.find(({ id }) => id === messageId) ?? messages.at(-1)
  const known = message?.parts.filter(({ type }) => type === 'step-start').length ?? 0
  const { items } = shownChat(run)
  const answer = items.find(({ id }) => id === message?.id) ?? items.findLast(({ role }) => role === 'assistant')
  return { showing: goneOn(answer?.id ?? '', new Set(messages.map(({ id }) => id))), known }
}
