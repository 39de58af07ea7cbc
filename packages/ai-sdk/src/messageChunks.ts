import type { Failure } from '@interleave/core'
import { blockChunks, type Chunk } from './blockChunks.ts'
import type { Block, MessageView, StepView } from './messageView.ts'
import { metadataOf, wholeMetadata } from './metadataOf.ts'

/** Streams one message as chunks. */
export interface MessageChunks {
  /** Returns the chunks that turn the message sent so far into this one. */
  to(view: MessageView): readonly Chunk[]
  /** Returns the final chunks, once the run settles or the next message begins. */
  end(options?: EndOptions): readonly Chunk[]
}
export interface EndOptions {
  /** Returns the text of a failure for the chat; its message by default. */
  onError?: (error: Failure) => string
  /** A chat is to send nothing by itself. */
  isIdle?: boolean
}

/** `known`: the number of steps that the chat already has. The last of them is sent again. */
export function createMessageChunks({ known = 0 }: { readonly known?: number } = {}): MessageChunks {
  let told: MessageView | undefined
  let isBegun = false
  return {
    to(view) {
      const before = told?.steps ?? []
      told = view
      if (isBegun) return stepsChunks(before, view.steps)
      // A message without parts would show as an empty one.
      if (view.steps.length === 0) return []
      isBegun = true
      return [{ type: 'start', messageId: view.id, messageMetadata: metadataOf(view) }, ...begin(view, known)]
    },
    end: (options) => (told ? endChunks(told, { ...options, isBegun }) : []),
  }
}

function begin({ steps }: MessageView, known: number): readonly Chunk[] {
  const there = steps.slice(0, known)
  if (there.length === 0) return stepsChunks([], steps)
  const last: StepView = { blocks: [] }
  // Questions of earlier steps may be answered by now.
  const data = there.slice(0, -1).flatMap(({ blocks }) => blocks.flatMap(dataChunks))
  return [...data, { type: 'reset-step' }, ...stepsChunks([...there.slice(0, -1), last], steps)]
}

const dataChunks = (block: Block): readonly Chunk[] =>
  block.type === 'data' ? (blockChunks(undefined, block) ?? []) : []

function stepsChunks(before: readonly StepView[], steps: readonly StepView[]): Chunk[] {
  return steps.flatMap((step, index): readonly Chunk[] => {
    const known = before[index]
    if (known === step) return []
    if (!known) {
      const begun: readonly Chunk[] =
        index > 0 ? [{ type: 'finish-step' }, { type: 'start-step' }] : [{ type: 'start-step' }]
      return [...begun, ...(growth([], step.blocks) ?? [])]
    }
    const grown = growth(known.blocks, step.blocks)
    // Only the step at hand can be told anew. What becomes of calls and questions of earlier ones can always be told.
    if (grown) return grown
    return index === before.length - 1 ? [{ type: 'reset-step' }, ...(growth([], step.blocks) ?? [])] : []
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
  const { rest } = view
  const { onError = ({ message }) => message, isIdle, isBegun } = options
  // Last, since a chat reads no further.
  const error: Chunk[] = rest?.type === 'failed' ? [{ type: 'error', errorText: onError(rest.error) }] : []
  if (!isBegun) return error
  const abort: Chunk[] = rest?.type === 'stopped' ? [{ type: 'abort', reason: rest.reason }] : []
  const finishReason = isIdle ? 'interrupted' : finishReasonOf(rest)
  return [
    { type: 'finish-step' },
    ...abort,
    { type: 'finish', finishReason, messageMetadata: wholeMetadata(view) },
    ...error,
  ]
}

/** After `interrupted` a chat sends nothing by itself, also where all calls of its last message are done. */
function finishReasonOf(rest: MessageView['rest']): 'stop' | 'length' | 'tool-calls' | 'error' | 'interrupted' {
  switch (rest?.type) {
    case 'answer':
      return rest.reason === 'length' ? 'length' : 'stop'
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
