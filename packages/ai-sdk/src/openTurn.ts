import type { Delta } from '@interleave/core/internal'
import { withLastStep, withNewStep } from './editBlocks.ts'
import type { Block, Grown, MessageView, StepView } from './messageView.ts'
import { textId, toolId } from './turnBlocks.ts'

/** Removes the streamed part of a turn that is retried. */
export function withoutOpenTurn(view: MessageView): MessageView {
  const last = view.steps.at(-1)
  return last?.isOpen && last.blocks.length > 0 ? withLastStep(view, { ...last, blocks: [] }) : view
}

/** Adds a delta of the streaming turn. */
export function withDelta(view: MessageView, delta: Delta, turn: number): MessageView {
  const last = view.steps.at(-1)
  const step: StepView = last?.isOpen ? last : { blocks: [], turn, isOpen: true }
  const grown = { ...step, blocks: grow(step.blocks, delta, turn) }
  return last?.isOpen ? withLastStep(view, grown) : withNewStep(view, grown)
}

function grow(blocks: readonly Block[], { kind, id = '', tool = '', delta }: Delta, turn: number): readonly Block[] {
  if (kind === 'input') {
    const at = blocks.findIndex((block) => block.type === 'tool' && block.id === toolId(turn, id))
    const block = blocks[at]
    if (block?.type === 'tool')
      return blocks.with(at, { ...block, inputText: block.inputText + delta, grown: grownBy(block.inputText, delta) })
    return [...closed(blocks), { type: 'tool', id: toolId(turn, id), name: tool, inputText: delta }]
  }
  if (delta === '') return blocks
  const last = blocks.at(-1)
  if (last?.type === kind && !last.isDone)
    return blocks.with(-1, { ...last, text: last.text + delta, grown: grownBy(last.text, delta) })
  return [...closed(blocks), { type: kind, id: textId(turn, blocks.length), text: delta, isDone: false }]
}

const grownBy = ({ length: from }: string, delta: string): Grown => ({ from, delta })

/** Completes the last streaming block when another begins. */
function closed(blocks: readonly Block[]): readonly Block[] {
  const last = blocks.at(-1)
  return last && 'isDone' in last && !last.isDone ? blocks.with(-1, { ...last, isDone: true }) : blocks
}
