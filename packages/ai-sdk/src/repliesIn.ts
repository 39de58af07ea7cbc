import type { Ask, RunState } from '@interleave/core'
import { AgentError } from '@interleave/core'
import { demand, keyOf } from '@interleave/core/internal'
import type { UIMessage } from 'ai'
import { isAnswer } from './chatItems.ts'
import type { Chat } from './createChat.ts'
import type { ToolBlock } from './messageView.ts'
import type { RepliesBody } from './replyTo.ts'

export type Reply = RepliesBody['replies'][number]

interface Request {
  readonly messages: readonly Pick<UIMessage, 'parts'>[]
  readonly body?: object | undefined
}
interface ToolPart {
  readonly toolCallId: string
  readonly state: string
  readonly output?: unknown
  readonly preliminary?: boolean
  readonly approval?: { readonly id: string; readonly approved?: boolean; readonly reason?: string }
}

/** Returns the chat's replies to open questions: approvals, outputs of client-side tools, and `replyTo` replies. */
export function repliesIn({ messages, body }: Request, chat: Chat): readonly Reply[] {
  const parts = messages.flatMap((message) => message.parts.flatMap(toolPart))
  const own = chat.state.asks.flatMap((ask) => {
    const value = valueIn(parts, ask, chat)
    return value === undefined ? [] : [{ ask: ask.id, value }]
  })
  const { replies = [] } = (body ?? {}) as Partial<RepliesBody>
  demand(
    Array.isArray(replies) && replies.every((reply) => typeof reply?.ask === 'string'),
    'The replies of a request are not those of replyTo(ask, value).',
  )
  return [...own, ...replies.filter(({ ask }) => !isAnswered(chat, ask))]
}

const toolPart = (part: object): ToolPart[] => ('toolCallId' in part ? [part as ToolPart] : [])

function valueIn(parts: readonly ToolPart[], ask: Ask, { items }: Chat): unknown {
  if (ask.kind === 'approval') {
    const { approved, reason } =
      parts.find(({ state, approval }) => state === 'approval-responded' && approval?.id === ask.id)?.approval ?? {}
    if (approved === undefined) return undefined
    return approved ? { approved } : { approved, ...(reason !== undefined && { reason }) }
  }
  // The one question of a tool without a function. What else a tool asks is answered by replyTo.
  if (ask.kind !== 'form' || keyOf(ask.id) !== `${ask.call}/ask/0`) return undefined
  const id = items
    .filter(isAnswer)
    .flatMap(({ steps }) => steps.flatMap(({ blocks }) => blocks))
    .find((block): block is ToolBlock => block.type === 'tool' && block.key === ask.call)?.id
  const part = parts.find(({ toolCallId }) => toolCallId === id)
  if (part?.state === 'output-error')
    throw new AgentError('reply_invalid', `The tool of the call "${id}" has to give an output: an agent waits for it.`)
  return part?.state === 'output-available' && !part.preliminary ? part.output : undefined
}

/** By a request that was sent before, and is sent again. */
const isAnswered = ({ items, state }: Chat, id: string): boolean =>
  !isOpen(state, id) &&
  items
    .filter(isAnswer)
    .flatMap(({ steps }) => steps.flatMap(({ blocks }) => blocks))
    .some(
      (block) =>
        (block.type === 'data' && block.id === id && block.name !== 'answer' && block.data.state === 'answered') ||
        (block.type === 'tool' && block.approval?.ask.id === id && block.approval.reply !== undefined),
    )

const isOpen = ({ asks }: RunState, id: string): boolean => asks.some((ask) => ask.id === id)
