import type { Draft } from '../draft.ts'
import type { CallMessage, ChatMessage, TextMessage } from './chatMessage.ts'
import { consumed, pendingOf, placeBefore } from './pendingMessages.ts'
import { textKey } from './textMessages.ts'

/**
 * A chat with what streams now: the turn, before what the user said while it streamed, and what running tools have told so far.
 * What the turn answers is heard already.
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

/** Of a thought that is not to be shown nobody knows whether it is one until it is finished. */
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
