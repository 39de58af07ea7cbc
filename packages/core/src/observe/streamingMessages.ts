import type { Draft } from '../draft.ts'
import type { CallMessage, ChatMessage, TextMessage } from './chatMessage.ts'
import { consumed, pendingOf, placeBefore } from './pendingMessages.ts'
import { textKey } from './textMessages.ts'

/**
 * Adds streaming content to a chat: the turn, before user messages sent meanwhile, and preliminary output of running
 * tools. Messages that the turn answers count as received.
 */
export function withDraft(messages: readonly ChatMessage[], draft: Draft, isHidden: boolean): readonly ChatMessage[] {
  const { heard = 0 } = draft
  const all = messages.map((message) => withProgress(message, draft))
  for (const [index, message] of pendingOf(messages)) if (message.seq < heard) all[index] = consumed(message)
  const place = heard > 0 ? placeBefore(all, ({ seq }) => seq >= heard) : all.length
  return all.toSpliced(place, 0, ...textOf(draft, isHidden), ...callsOf(draft))
}

function withProgress(message: ChatMessage, { progress }: Draft): ChatMessage {
  if (message.type !== 'call' || message.state !== 'working' || !Object.hasOwn(progress, message.key)) return message
  const told = progress[message.key]
  return told === undefined ? message : { ...message, progress: told }
}

/** Returns the visible text of a draft. If thoughts are hidden, unfinished text may be one, so it is not shown. */
function textOf({ iteration, text, reasoning }: Draft, isHidden: boolean): readonly TextMessage[] {
  if (isHidden || (!text.trim() && !reasoning.trim())) return []
  return [{ type: 'text', key: textKey(iteration), at: 0, text, reasoning, isStreaming: true, isAnswer: false }]
}

/** Each will have the key that it has now. */
const callsOf = ({ iteration, inputs }: Draft): readonly CallMessage[] =>
  Object.values(inputs).map(({ tool, text }, index) => ({
    type: 'call',
    key: `${iteration}/tool/${index}`,
    at: 0,
    tool,
    state: 'writing',
    input: text,
  }))
