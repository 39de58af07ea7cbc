import type { Json, RunState, Signal } from '@interleave/core'
import { latestTurn } from '@interleave/core/internal'
import { withLastStep, withNewStep } from './editBlocks.ts'
import type { Block, MessageView, StepView } from './messageView.ts'

/** Adds the run's signal to a message. The chat ends with the actual answer, whatever the model wrote. */
export function withRest(view: MessageView, signal: Signal, state: RunState): MessageView {
  if (signal.type === 'answer') return withAnswer(view, signal.output as Json, state)
  const isRefused = signal.type === 'failed' && refusals.includes(signal.error.code)
  const words = isRefused ? wordsOf(view, state) : undefined
  return words ? withLastStep(view, { ...words, blocks: words.blocks.filter(({ type }) => type !== 'text') }) : view
}
const refusals: readonly string[] = ['guard_blocked', 'answer_invalid']

function withAnswer(view: MessageView, output: Json, state: RunState): MessageView {
  const id = `${state.seq}-answer`
  if (typeof output !== 'string') {
    return withNewStep(view, { blocks: [{ type: 'data', name: 'answer', id, data: { output } }] })
  }
  const words = wordsOf(view, state)
  if (words && textOf(words) === output.trim()) return view
  const text: Block = { type: 'text', id, text: output, isDone: true }
  const at = words?.blocks.findIndex(({ type }) => type === 'text') ?? -1
  // In a step of its own, so that a chat does not take the call that gave the answer for one that it has to answer.
  if (!words || at < 0) return output === '' ? view : withNewStep(view, { blocks: [text] })
  const others = words.blocks.filter(({ type }, index) => type !== 'text' || index === at)
  return withLastStep(view, { ...words, blocks: others.map((block) => (block.type === 'text' ? text : block)) })
}

/** The last step, if it is a turn that calls nothing: its words were to be the answer. */
function wordsOf({ steps }: MessageView, state: RunState): StepView | undefined {
  const turn = latestTurn(state)
  const last = steps.at(-1)
  return last && turn && last.turn === turn.iteration && turn.calls.length === 0 ? last : undefined
}

const textOf = ({ blocks }: StepView): string =>
  blocks
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('')
    .trim()
