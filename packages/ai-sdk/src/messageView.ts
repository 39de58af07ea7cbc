import type { LanguageModelV4Message } from '@ai-sdk/provider'
import type { Ask, Json, Signal, Usage, UserContent } from '@interleave/core'
import { append, type Pages, replaceLast } from '@interleave/core/internal'
import type { UIMessageChunk } from 'ai'
import type { AskData } from './runUIMessage.ts'

/** One answer of the agent as a chat shows it, from the log alone. Immutable: each event creates a new one. */
export interface MessageView {
  readonly role: 'assistant'
  readonly id: string
  /** The position in the log of the user message that it answers. */
  readonly said: number
  readonly runId: string
  readonly agent: string
  /** In pages, so that an event copies few of them. */
  readonly steps: Pages<StepView>
  /** True if a call may have preliminary output. */
  readonly hasProgress?: boolean
  readonly usage: Usage
  /** The run's signal after it. */
  readonly signal?: Signal | undefined
}

/** A turn of the model and its results, or a question that no call asks. */
export interface StepView {
  readonly blocks: readonly Block[]
  readonly turn?: number
  /** True if the turn still streams, and is not in the log. */
  readonly isOpen?: boolean
}

export type Block = TextBlock | ToolBlock | DataBlock | FixedBlock

export interface TextBlock {
  readonly type: 'text' | 'reasoning'
  readonly id: string
  readonly text: string
  readonly isDone: boolean
  readonly grown?: Grown
}
export interface ToolBlock {
  readonly type: 'tool'
  /** Unique within its run, unlike the provider's id. */
  readonly id: string
  readonly name: string
  /** The key of the call in the log, if this run executes or approves it. */
  readonly key?: string
  /** The input as it streams in. */
  readonly inputText: string
  readonly grown?: Grown
  /** The input. Absent while it streams. */
  readonly input?: Json
  /** The reason why the input could not be parsed. */
  readonly invalid?: string
  readonly isProviders?: boolean
  /** The call of a child run that needs a user's approval. */
  readonly title?: string
  readonly approval?: Approval | undefined
  readonly outcome?: ToolOutcome | undefined
}
/** The latest delta of a stream. Comparing everything before would cost more with each delta. */
export interface Grown {
  /** The length before. */
  readonly from: number
  readonly delta: string
}
export interface Approval {
  readonly ask: Extract<Ask, { kind: 'approval' }>
  readonly reply?: { readonly approved: boolean; readonly reason?: string }
}
export type ToolOutcome =
  | { readonly type: 'output'; readonly output: Json; readonly isPreliminary?: boolean }
  | { readonly type: 'error'; readonly text: string }
  | { readonly type: 'denied' }

export type DataBlock =
  | { readonly type: 'data'; readonly name: 'ask' | 'limit'; readonly id: string; readonly data: AskData }
  | { readonly type: 'data'; readonly name: 'answer'; readonly id: string; readonly data: { readonly output: Json } }

/** A part that arrives complete and does not change. */
export interface FixedBlock {
  readonly type: 'fixed'
  readonly chunk: Extract<
    UIMessageChunk,
    { type: 'source-url' | 'source-document' | 'file' | 'reasoning-file' | 'custom' }
  >
}

/** An edit of one block. */
interface BlockEdit {
  readonly fits: (block: Block) => boolean
  readonly edit: (block: Block) => Block
  /** Returns true if no earlier step has the block. */
  readonly isFirst?: (step: StepView) => boolean
}

/** Edits the latest block that fits. Returns the same message if there is none: most events change one of the last steps. */
export function editBlock(view: MessageView, { fits, edit, isFirst = () => false }: BlockEdit): MessageView {
  for (let page = view.steps.length - 1; page >= 0; page--) {
    const steps = view.steps[page] ?? []
    for (let at = steps.length - 1; at >= 0; at--) {
      const step = steps[at] as StepView
      const index = step.blocks.findLastIndex(fits)
      const block = step.blocks[index]
      if (block) {
        const edited = { ...step, blocks: step.blocks.with(index, edit(block)) }
        return { ...view, steps: view.steps.with(page, steps.with(at, edited)) }
      }
      if (isFirst(step)) return view
    }
  }
  return view
}

/** Applies `edit` to every block. */
export const editBlocks = (view: MessageView, edit: (block: Block) => Block): MessageView => ({
  ...view,
  steps: view.steps.map((page) => page.map((step) => ({ ...step, blocks: step.blocks.map(edit) }))),
})

/** Replaces the last step. */
export const withLastStep = (view: MessageView, step: StepView): MessageView => ({
  ...view,
  steps: replaceLast(view.steps, step),
})

export const withNewStep = (view: MessageView, step: StepView): MessageView => ({
  ...view,
  steps: append(view.steps, step),
})

/** An item of a chat, in its order. */
export type ChatItem = UserItem | SeededItem | MessageView

export interface UserItem {
  readonly role: 'user'
  /** Its key, or its position in the log. */
  readonly id: string
  readonly seq: number
  readonly content: UserContent
}
/** Messages of an earlier conversation. */
export interface SeededItem {
  readonly role: 'seeded'
  readonly id: string
  readonly messages: readonly LanguageModelV4Message[]
}

export const isAnswer = (item: ChatItem): item is MessageView => item.role === 'assistant'
