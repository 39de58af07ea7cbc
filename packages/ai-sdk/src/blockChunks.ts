import type { Json } from '@interleave/core'
import { canonicalJson } from '@interleave/core/internal'
import type { UIMessageChunk } from 'ai'
import type { Approval, Block, Grown, TextBlock, ToolBlock, ToolOutcome } from './messageView.ts'
import type { ChatMetadata } from './runUIMessage.ts'

/** A chunk of a UI message stream. */
export type Chunk = UIMessageChunk<ChatMetadata>
type Chunks = readonly Chunk[]

/**
 * Returns the chunks that turn one block, or none, into another. Undefined if chunks cannot express it: its step must
 * be sent again.
 */
export function blockChunks(before: Block | undefined, block: Block): Chunks | undefined {
  if (before === block) return []
  switch (block.type) {
    case 'text':
    case 'reasoning':
      return textChunks(before, block)
    case 'tool':
      return toolChunks(before, block)
    case 'data': {
      if (before && !(before.type === 'data' && before.name === block.name && before.id === block.id)) return undefined
      return [{ type: `data-${block.name}`, id: block.id, data: block.data }]
    }
    case 'fixed':
      return before ? undefined : [block.chunk]
  }
}

function textChunks(before: Block | undefined, { type, id, text, isDone, grown }: TextBlock): Chunks | undefined {
  const begun = before ?? { type, id, text: '', isDone: false }
  if (begun.type !== type || begun.id !== id) return undefined
  if (begun.isDone) return isDone && text === begun.text ? [] : undefined
  const delta = added(begun.text, text, grown)
  if (delta === undefined) return undefined
  return [
    ...(before ? [] : [{ type: `${type}-start`, id } as const]),
    ...(delta === '' ? [] : [{ type: `${type}-delta`, id, delta } as const]),
    ...(isDone ? [{ type: `${type}-end`, id } as const] : []),
  ]
}

function toolChunks(before: Block | undefined, block: ToolBlock): Chunks | undefined {
  if (before && !(before.type === 'tool' && before.id === block.id && before.name === block.name)) return undefined
  const input = inputChunks(before, block)
  const approval = approvalChunks(before?.approval, block)
  const outcome = outcomeChunks(before?.outcome, block)
  if (!input || !approval || !outcome) return undefined
  // A chat that knows of a permission or a result takes no other input.
  if (input.length > 0 && (before?.approval || before?.outcome)) return undefined
  if (approval.length > 0 && before?.outcome) return undefined
  return [...input, ...approval, ...outcome]
}

function inputChunks(before: ToolBlock | undefined, block: ToolBlock): Chunks | undefined {
  const { id: toolCallId, name: toolName, title, isProviders, invalid, input, inputText, grown } = block
  const named = {
    toolCallId,
    toolName,
    ...(isProviders && { providerExecuted: true }),
    ...(title !== undefined && { title, dynamic: true }),
  }
  if (input === undefined) {
    const inputTextDelta = added(before?.inputText ?? '', inputText, grown)
    if (before?.input !== undefined || inputTextDelta === undefined) return undefined
    return [
      ...(before ? [] : [{ type: 'tool-input-start', ...named } as const]),
      ...(inputTextDelta === '' ? [] : [{ type: 'tool-input-delta', toolCallId, inputTextDelta } as const]),
    ]
  }
  if (before?.input !== undefined && same(before.input, input) && before.invalid === invalid) return []
  if (invalid !== undefined) return [{ type: 'tool-input-error', ...named, input, errorText: invalid }]
  return [{ type: 'tool-input-available', ...named, input }]
}

function approvalChunks(before: Approval | undefined, { id: toolCallId, approval }: ToolBlock): Chunks | undefined {
  if (before === approval) return []
  if (!approval || (before && before.ask.id !== approval.ask.id)) return undefined
  const { ask, reply } = approval
  const isAsked = before !== undefined && before.ask === ask
  if (before && (!isAsked || before.reply)) return undefined
  const { id: approvalId, prompt: reason } = ask
  return [
    ...(isAsked
      ? []
      : [{ type: 'tool-approval-request', approvalId, toolCallId, reason, approvalDescriptor: ask } as const]),
    ...(reply ? [{ type: 'tool-approval-response', approvalId, ...reply } as const] : []),
  ]
}

function outcomeChunks(
  before: ToolOutcome | undefined,
  { id: toolCallId, outcome, isProviders }: ToolBlock,
): Chunks | undefined {
  if (before === outcome) return []
  if (!outcome) return undefined
  const provider = isProviders && { providerExecuted: true }
  switch (outcome.type) {
    case 'output': {
      const { output, isPreliminary } = outcome
      const preliminary = isPreliminary && { preliminary: true }
      return [{ type: 'tool-output-available', toolCallId, output, ...preliminary, ...provider }]
    }
    case 'error':
      return [{ type: 'tool-output-error', toolCallId, errorText: outcome.text, ...provider }]
    case 'denied':
      return [{ type: 'tool-output-denied', toolCallId }]
  }
}

/** Returns what a text has gained. Undefined if it is another text. */
function added(before: string, text: string, grown: Grown | undefined): string | undefined {
  if (grown && grown.from === before.length) return grown.delta
  return text.startsWith(before) ? text.slice(before.length) : undefined
}

const same = (a: Json, b: Json): boolean => a === b || canonicalJson(a) === canonicalJson(b)
