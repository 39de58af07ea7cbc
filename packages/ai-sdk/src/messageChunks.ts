import type { Failure, Json } from '@interleave/core'
import { type Pages, sameJson } from '@interleave/core/internal'
import { userMessageOf } from '@interleave/core/observe'
import type { UIMessageChunk } from 'ai'
import type { Approval, Block, Grown, MessageView, StepView, TextBlock, ToolBlock, ToolOutcome } from './messageView.ts'
import type { ChatMetadata } from './runUIMessage.ts'

export interface EndOptions {
  /** Returns the text of a failure of the run for the chat; `userMessageOf(error)` by default. */
  onError?: (error: Failure) => string
  /** True if a chat must send nothing by itself. */
  isIdle?: boolean
}

/** Streams one message as chunks. */
export class MessageChunks {
  readonly #known: number
  #view: MessageView | undefined
  #isBegun = false

  /** Creates the chunks of a message of which the chat already has `known` steps. The last of them is sent again. */
  constructor(known = 0) {
    this.#known = known
  }

  /** Returns the chunks that turn the message sent so far into this one. */
  to(view: MessageView): readonly Chunk[] {
    const before = this.#view?.steps ?? []
    this.#view = view
    if (this.#isBegun) return stepsChunks(before, view.steps)
    // A message without parts would show as an empty one.
    if (view.steps.length === 0) return []
    this.#isBegun = true
    return [{ type: 'start', messageId: view.id, messageMetadata: metadataOf(view) }, ...begin(view, this.#known)]
  }

  /** Returns the final chunks, once the run settles or the next message begins. */
  end(options?: EndOptions): readonly Chunk[] {
    return this.#view ? endChunks(this.#view, { ...options, isBegun: this.#isBegun }) : []
  }
}

function begin({ steps }: MessageView, known: number): readonly Chunk[] {
  const sent = steps.flat().slice(0, known)
  if (sent.length === 0) return stepsChunks([], steps)
  const last: StepView = { blocks: [] }
  // Questions of earlier steps may be answered by now.
  const data = sent.slice(0, -1).flatMap(({ blocks }) => blocks.flatMap(dataChunks))
  return [...data, { type: 'reset-step' }, ...stepsChunks([[...sent.slice(0, -1), last]], steps)]
}

const dataChunks = (block: Block): readonly Chunk[] =>
  block.type === 'data' ? (blockChunks(undefined, block) ?? []) : []

/** Returns the chunks that turn steps into others. Pages at the beginning that are the same cost nothing. */
function stepsChunks(before: Pages<StepView>, steps: Pages<StepView>): Chunk[] {
  const changed = steps.findIndex((page, at) => page !== before[at])
  if (changed < 0) return []
  const from = steps.slice(0, changed).reduce((count, { length }) => count + length, 0)
  const shown = before.slice(changed).flat()
  return steps
    .slice(changed)
    .flat()
    .flatMap((step, at): readonly Chunk[] => {
      const index = from + at
      const known = shown[at]
      if (known === step) return []
      if (!known) {
        const begun: readonly Chunk[] =
          index > 0 ? [{ type: 'finish-step' }, { type: 'start-step' }] : [{ type: 'start-step' }]
        return [...begun, ...(growth([], step.blocks) ?? [])]
      }
      const grown = growth(known.blocks, step.blocks)
      // Only the current step can be sent again. Calls and questions of earlier ones can always be updated.
      if (grown) return grown
      return at === shown.length - 1 ? [{ type: 'reset-step' }, ...(growth([], step.blocks) ?? [])] : []
    })
}

function growth(before: readonly Block[], blocks: readonly Block[]): readonly Chunk[] | undefined {
  if (before.length > blocks.length) return undefined
  const chunks: Chunk[] = []
  for (const [index, block] of blocks.entries()) {
    const more = blockChunks(before[index], block)
    if (!more) return undefined
    chunks.push(...more)
  }
  return chunks
}

function endChunks(view: MessageView, options: EndOptions & { readonly isBegun: boolean }): readonly Chunk[] {
  const { signal } = view
  const { onError = (error) => userMessageOf(error), isIdle, isBegun } = options
  // Last, since a chat reads nothing after it.
  const error: Chunk[] = signal?.type === 'failed' ? [{ type: 'error', errorText: onError(signal.error) }] : []
  if (!isBegun) return error
  const abort: Chunk[] = signal?.type === 'stopped' ? [{ type: 'abort', reason: signal.reason }] : []
  const finishReason = isIdle ? 'interrupted' : finishReasonOf(signal)
  return [
    { type: 'finish-step' },
    ...abort,
    { type: 'finish', finishReason, messageMetadata: wholeMetadata(view) },
    ...error,
  ]
}

/** Returns the reason. After `interrupted` a chat sends nothing by itself, even if all calls are done. */
function finishReasonOf(signal: MessageView['signal']): 'stop' | 'length' | 'tool-calls' | 'error' | 'interrupted' {
  switch (signal?.type) {
    case 'answer':
      return signal.reason === 'length' ? 'length' : 'stop'
    case 'inputNeeded':
      return 'tool-calls'
    case 'failed':
      return 'error'
    case 'limitReached':
    case 'stopped':
      return 'interrupted'
    case undefined:
      return 'stop'
  }
}

/** Returns the metadata of an answer when it begins. */
const metadataOf = ({ runId, agent }: MessageView): ChatMetadata => ({ runId, agent })

/** Returns the metadata of an answer with the events and state known so far. */
export const wholeMetadata = (view: MessageView): ChatMetadata => ({
  ...metadataOf(view),
  usage: view.usage,
  ...(view.signal && { signal: view.signal.type }),
})

/** A chunk of a UI message stream. */
export type Chunk = UIMessageChunk<ChatMetadata>
type Chunks = readonly Chunk[]

/** Returns the chunks that turn one block, or none, into another. Undefined if its step must be sent again. */
function blockChunks(before: Block | undefined, block: Block): Chunks | undefined {
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
  // A chat accepts no different input for a call with an approval or a result.
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

/** Returns the text that was added. Undefined if it is another text. */
function added(before: string, text: string, grown: Grown | undefined): string | undefined {
  if (grown && grown.from === before.length) return grown.delta
  return text.startsWith(before) ? text.slice(before.length) : undefined
}

const same = (a: Json, b: Json): boolean => a === b || sameJson(a, b)
