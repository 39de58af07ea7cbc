import type { LanguageModelV4Message, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'
import type { Json } from '@interleave/core'
import { checkEvents } from '@interleave/core/internal'
import type { AnyEvent } from '@interleave/core/observe'
import { Chat } from './chat.ts'
import { toUserParts } from './fromUIMessages.ts'
import { wholeMetadata } from './messageChunks.ts'
import {
  type Block,
  type ChatItem,
  isAnswer,
  type MessageView,
  type SeededItem,
  type ToolBlock,
} from './messageView.ts'
import type { RunUIMessage } from './runUIMessage.ts'
import { fileUrl } from './turnBlocks.ts'

type UIPart = RunUIMessage['parts'][number]

/** Returns a whole run as messages of a chat, equal to those of a chat that received them as a stream. */
export function toUIMessages(events: Iterable<AnyEvent>): RunUIMessage[] {
  checkEvents(events, 'toUIMessages()')
  return messagesOfChat(new Chat(events))
}

export const messagesOfChat = ({ items, waiting }: Pick<Chat, 'items' | 'waiting'>): RunUIMessage[] =>
  [...items, ...waiting].flatMap(messagesOf)

function messagesOf(item: ChatItem): RunUIMessage[] {
  if (item.role === 'seeded') return seededMessages(item)
  if (isAnswer(item)) return item.steps.length > 0 ? [toMessage(item)] : []
  return [{ id: item.id, role: 'user', parts: toUserParts(item.content) }]
}

/** Converts one answer of the agent. */
function toMessage(view: MessageView): RunUIMessage {
  const parts = view.steps.flat().flatMap(({ blocks }): UIPart[] => [{ type: 'step-start' }, ...blocks.map(toPart)])
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

type Assistant = Extract<LanguageModelV4Message, { role: 'assistant' }>
type Output = LanguageModelV4ToolResultOutput

/** Converts messages of an earlier conversation. Consecutive ones of the assistant become one message. */
function seededMessages({ id, messages }: SeededItem): RunUIMessage[] {
  const shown: RunUIMessage[] = []
  const outputs = outputsIn(messages)
  const show = (role: RunUIMessage['role'], parts: UIPart[]): void => {
    const last = shown.at(-1)
    if (role === 'assistant' && last?.role === 'assistant') last.parts.push(...parts)
    else shown.push({ id: `${id}/${shown.length}`, role, parts })
  }
  for (const { role, content } of messages) {
    if (role === 'assistant')
      show(role, [{ type: 'step-start' }, ...content.flatMap((part) => seededPart(part, outputs))])
    if (role === 'user') show(role, toUserParts(content))
    if (role === 'system') show(role, [{ type: 'text', text: content }])
  }
  return shown
}

function outputsIn(messages: readonly LanguageModelV4Message[]): ReadonlyMap<string, Output> {
  const outputs = new Map<string, Output>()
  for (const message of messages) {
    if (message.role !== 'tool' && message.role !== 'assistant') continue
    for (const part of message.content) if (part.type === 'tool-result') outputs.set(part.toolCallId, part.output)
  }
  return outputs
}

function seededPart(part: Assistant['content'][number], outputs: ReadonlyMap<string, Output>): UIPart[] {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text === '' ? [] : [{ type: part.type, text: part.text, state: 'done' }]
    case 'file':
    case 'reasoning-file': {
      const url = fileUrl(part.data, part.mediaType)
      return url === undefined ? [] : [{ type: part.type, mediaType: part.mediaType, url }]
    }
    case 'tool-call': {
      const { toolCallId, toolName, input, providerExecuted } = part
      const executed = providerExecuted && { providerExecuted }
      const state = seededState(outputs.get(toolCallId))
      return [{ type: `tool-${toolName}`, toolCallId, input, ...executed, ...state } as UIPart]
    }
    default:
      return []
  }
}

function seededState(output: Output | undefined): object {
  if (!output) return { state: 'output-error', errorText: 'The call has no result.' }
  switch (output.type) {
    case 'error-text':
      return { state: 'output-error', errorText: output.value }
    case 'error-json':
      return { state: 'output-error', errorText: JSON.stringify(output.value) }
    case 'execution-denied':
      return { state: 'output-error', errorText: output.reason ?? 'Refused.' }
    default:
      return { state: 'output-available', output: output.value as Json }
  }
}
