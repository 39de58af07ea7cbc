import type { AnyEvent } from '@interleave/core/observe'
import { type ChatItem, isAnswer } from './chatItems.ts'
import { type Chat, createChat } from './createChat.ts'
import type { Block, MessageView, ToolBlock } from './messageView.ts'
import { wholeMetadata } from './metadataOf.ts'
import type { RunUIMessage } from './runUIMessage.ts'
import { seededMessages } from './seededMessages.ts'
import { toUserParts } from './userParts.ts'

type UIPart = RunUIMessage['parts'][number]

/**
 * A whole run as the messages of a chat, such as `useChat({ messages })` takes when a page is loaded. The same messages as
 * a chat that saw them stream.
 */
export function toUIMessages(events: Iterable<AnyEvent>): RunUIMessage[] {
  return messagesOfChat(createChat(events))
}

export const messagesOfChat = ({ items, waiting }: Pick<Chat, 'items' | 'waiting'>): RunUIMessage[] =>
  [...items, ...waiting].flatMap(messagesOf)

function messagesOf(item: ChatItem): RunUIMessage[] {
  if (item.role === 'seeded') return seededMessages(item)
  if (isAnswer(item)) return item.steps.length > 0 ? [toMessage(item)] : []
  return [{ id: item.id, role: 'user', parts: toUserParts(item.content) }]
}

/** One answer of the agent. */
function toMessage(view: MessageView): RunUIMessage {
  const parts = view.steps.flatMap(({ blocks }): UIPart[] => [{ type: 'step-start' }, ...blocks.map(toPart)])
  return { id: view.id, role: 'assistant', metadata: wholeMetadata(view), parts }
}

function toPart(block: Block): UIPart {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text, state: block.isDone ? 'done' : 'streaming' }
    case 'reasoning':
      return { type: 'reasoning', id: block.id, text: block.text, state: block.isDone ? 'done' : 'streaming' }
    case 'tool':
      return toToolPart(block)
    case 'data': {
      const { name, id, data } = block
      return { type: `data-${name}`, id, data } as UIPart
    }
    case 'fixed':
      return block.chunk
  }
}

function toToolPart(block: ToolBlock): UIPart {
  const { id: toolCallId, name, title, isProviders, input } = block
  const kind = title === undefined ? { type: `tool-${name}` } : { type: 'dynamic-tool', toolName: name, title }
  return { ...kind, toolCallId, ...(isProviders && { providerExecuted: true }), input, ...stateOf(block) } as UIPart
}

function stateOf({ input, inputText, invalid, approval, outcome }: ToolBlock): object {
  const asked = approval && { approval: toApproval(approval) }
  if (outcome?.type === 'output') {
    const { output, isPreliminary } = outcome
    return { state: 'output-available', output, ...asked, ...(isPreliminary && { preliminary: true }) }
  }
  if (outcome?.type === 'error') return { state: 'output-error', errorText: outcome.text, ...asked }
  if (outcome?.type === 'denied') return { state: 'output-denied', ...asked }
  if (approval) return { state: approval.reply ? 'approval-responded' : 'approval-requested', ...asked }
  if (invalid !== undefined) return { state: 'output-error', errorText: invalid }
  return input === undefined ? { state: 'input-streaming', rawInput: inputText } : { state: 'input-available' }
}

const toApproval = ({ ask, reply }: NonNullable<ToolBlock['approval']>): object => ({
  id: ask.id,
  descriptor: ask,
  requestReason: ask.prompt,
  ...reply,
})
