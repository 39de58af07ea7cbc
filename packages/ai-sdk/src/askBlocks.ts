import type { Ask, Json, RunState, Signal } from '@interleave/core'
import { lastOf, latestTurn } from '@interleave/core/internal'
import type { EventOf } from '@interleave/core/observe'
import {
  type Block,
  type DataBlock,
  editBlock,
  type MessageView,
  type StepView,
  type ToolBlock,
  withLastStep,
  withNewStep,
} from './messageView.ts'
import { editCall } from './turnBlocks.ts'

type ApprovalAsk = Extract<Ask, { kind: 'approval' }>

/**
 * Adds an open question, which was asked before if `isAgain`. An approval is shown at its call; an approval of a child run gets a call of its own. Other
 * questions are data parts.
 */
export function withAsk(view: MessageView, ask: Ask, isAgain: boolean): MessageView {
  const isOwn = ask.kind === 'approval' && ask.call !== undefined && !ask.from
  const own = isOwn ? editCall(view, ask.call, (block) => reasked(block, ask)) : view
  const again =
    own === view && isAgain
      ? editBlock(view, { fits: (block) => isOf(block, ask), edit: (block) => reask(block, ask) })
      : own
  if (again !== view) return again
  const block = ask.kind === 'approval' ? callToAllow(ask) : dataOf(view, ask)
  const last = lastOf(view.steps)
  if (last?.isOpen) return withLastStep(view, { blocks: [block] })
  if (!last || ask.call === undefined) return withNewStep(view, { blocks: [block] })
  return withLastStep(view, { ...last, blocks: [...last.blocks, block] })
}

/** Returns true for the block of a question, other than that of an own call. */
function isOf(block: Block, ask: Ask): boolean {
  if (block.type === 'data') return block.name !== 'answer' && block.id === ask.id
  return block.type === 'tool' && ask.kind === 'approval' && block.id === idOf(ask)
}

/** Adds a question that was asked again: after a crash, or because the answer was invalid after all. */
function reask(block: Block, ask: Ask): Block {
  if (block.type === 'tool' && ask.kind === 'approval') return reasked(block, ask)
  if (block.type !== 'data' || block.name === 'answer') return block
  const { reply: _, ...data } = block.data
  return { ...block, data: { ...data, ask, state: 'open' } }
}

const reasked = (block: ToolBlock, ask: ApprovalAsk): ToolBlock => ({
  ...block,
  input: ask.input,
  approval: { ask },
  outcome: undefined,
})

function callToAllow(ask: ApprovalAsk): ToolBlock {
  const { tool: name, agent = ask.from?.agent, input } = ask
  const title = agent === undefined ? name : `${name} (${agent})`
  return { type: 'tool', id: idOf(ask), name, title, inputText: '', input, approval: { ask } }
}
const idOf = ({ id }: Ask): string => `ask-${id}`

const dataOf = ({ runId }: MessageView, ask: Ask): DataBlock => ({
  type: 'data',
  name: ask.kind === 'extension' ? 'limit' : 'ask',
  id: ask.id,
  data: { runId, ask, state: 'open' },
})

/** Marks a question as answered. An approval shows the prompt of the input that the user approved. */
export function withReply(view: MessageView, { ask: id, value, prompt }: Replied): MessageView {
  return editBlock(view, {
    fits: (block) => isAbout(block, id),
    edit: (block) => {
      if (block.type === 'tool') return replied(withPrompt(block, prompt), value)
      if (block.type !== 'data' || block.name === 'answer') return block
      return { ...block, data: { ...block.data, state: 'answered', reply: value } }
    },
  })
}

/** Returns true for the block that shows a question. */
const isAbout = (block: Block, id: string): boolean =>
  block.type === 'tool'
    ? block.approval?.ask.id === id
    : block.type === 'data' && block.name !== 'answer' && block.id === id

type Replied = EventOf<'replied'>

const withPrompt = ({ approval, ...block }: ToolBlock, prompt: string | undefined): ToolBlock => ({
  ...block,
  approval: approval && prompt !== undefined ? { ...approval, ask: { ...approval.ask, prompt } } : approval,
})

/** Applies a reply. The result of a child run's call is not shown here, only the approval. */
function replied({ approval, ...block }: ToolBlock, value: Json): ToolBlock {
  if (!approval) return block
  // A damaged file may contain any reply.
  const { approved: isApproved, reason } = Object(value) as Partial<Readonly<Record<string, Json>>>
  const approved = isApproved === true
  const reply = { approved, ...(typeof reason === 'string' && reason && { reason }) }
  const answered = { ...block, approval: { ...approval, reply } }
  if (block.title === undefined) return answered
  return { ...answered, outcome: approved ? { type: 'output', output: 'Permission.' } : { type: 'denied' } }
}

/** Closes a question that is no longer open, unless it was answered. */
export function closeAsk(view: MessageView, id: string): MessageView {
  return editBlock(view, {
    fits: (block) => isAbout(block, id),
    edit: (block) => {
      if (block.type === 'data' && block.name !== 'answer' && block.data.state === 'open')
        return { ...block, data: { ...block.data, state: 'withdrawn' } }
      if (block.type !== 'tool' || !block.approval || block.approval.reply) return block
      const reply = { approved: false, reason: 'There was no answer.' }
      return { ...block, approval: { ...block.approval, reply }, outcome: { type: 'denied' } }
    },
  })
}

/** Adds the run's signal to a message. The chat ends with the actual answer, whatever the model wrote. */
export function withSignal(view: MessageView, signal: Signal, state: RunState): MessageView {
  if (signal.type === 'answer') return withAnswer(view, signal.output as Json, state)
  const isRefused = signal.type === 'failed' && refusals.includes(signal.error.code)
  const words = isRefused ? answerStep(view, state) : undefined
  return words ? withLastStep(view, { ...words, blocks: words.blocks.filter(({ type }) => type !== 'text') }) : view
}
const refusals: readonly string[] = ['guard_blocked', 'answer_invalid']

function withAnswer(view: MessageView, output: Json, state: RunState): MessageView {
  const id = `${state.seq}-answer`
  if (typeof output !== 'string') {
    return withNewStep(view, { blocks: [{ type: 'data', name: 'answer', id, data: { output } }] })
  }
  const words = answerStep(view, state)
  if (words && textOf(words) === output.trim()) return view
  const text: Block = { type: 'text', id, text: output, isDone: true }
  const at = words?.blocks.findIndex(({ type }) => type === 'text') ?? -1
  // In its own step, so that a chat does not treat the call that gave the answer as one to answer.
  if (!words || at < 0) return output === '' ? view : withNewStep(view, { blocks: [text] })
  const others = words.blocks.filter(({ type }, index) => type !== 'text' || index === at)
  return withLastStep(view, { ...words, blocks: others.map((block) => (block.type === 'text' ? text : block)) })
}

/** Returns the text of the last step, if it is a turn without calls: its text should have been the answer. */
function answerStep({ steps }: MessageView, state: RunState): StepView | undefined {
  const turn = latestTurn(state)
  const last = lastOf(steps)
  return last && turn && last.turn === turn.iteration && turn.calls.length === 0 ? last : undefined
}

const textOf = ({ blocks }: StepView): string =>
  blocks
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('')
    .trim()
