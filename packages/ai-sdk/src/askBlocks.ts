import type { ApprovalReply, Ask, Json } from '@interleave/core'
import { editBlocks, withLastStep, withNewStep } from './editBlocks.ts'
import type { Block, DataBlock, MessageView, ToolBlock } from './messageView.ts'

type ApprovalAsk = Extract<Ask, { kind: 'approval' }>

/**
 * Adds an open question. An approval is shown at its call; one of a child run gets its own call, because chats ask per
 * call. Other questions are data. A question without a call has its own step, so that a chat which checks the calls of
 * the last step finds none there.
 */
export function withAsk(view: MessageView, ask: Ask): MessageView {
  const anew = editBlocks(view, (block) => askedAnew(block, ask))
  if (anew !== view) return anew
  const block = ask.kind === 'approval' ? callToAllow(ask) : dataOf(view, ask)
  const last = view.steps.at(-1)
  if (last?.isOpen) return withLastStep(view, { blocks: [block] })
  if (!last || ask.call === undefined) return withNewStep(view, { blocks: [block] })
  return withLastStep(view, { ...last, blocks: [...last.blocks, block] })
}

/** Also asked once more: after a crash, or since the answer did not fit after all. */
function askedAnew(block: Block, ask: Ask): Block {
  if (block.type === 'data' && block.name !== 'answer' && block.id === ask.id) {
    const { reply: _, ...data } = block.data
    return { ...block, data: { ...data, ask, state: 'open' } }
  }
  if (block.type !== 'tool' || ask.kind !== 'approval') return block
  const isOwn = block.key !== undefined && block.key === ask.call && !ask.from
  if (!isOwn && block.id !== idOf(ask)) return block
  return { ...block, input: ask.input, approval: { ask }, outcome: undefined }
}

const callToAllow = (ask: ApprovalAsk): ToolBlock => ({
  type: 'tool',
  id: idOf(ask),
  name: ask.tool,
  title: ask.from ? `${ask.tool} (${ask.from.agent})` : ask.tool,
  inputText: '',
  input: ask.input,
  approval: { ask },
})
const idOf = ({ id }: Ask): string => `ask-${id}`

const dataOf = ({ runId }: MessageView, ask: Ask): DataBlock => ({
  type: 'data',
  name: ask.kind === 'extension' ? 'limit' : 'ask',
  id: ask.id,
  data: { runId, ask, state: 'open' },
})

/** A question is answered. */
export function withReply(view: MessageView, id: string, value: Json): MessageView {
  return editBlocks(view, (block) => {
    if (block.type === 'data' && block.name !== 'answer' && block.id === id)
      return { ...block, data: { ...block.data, state: 'answered', reply: value } }
    if (block.type === 'tool' && block.approval?.ask.id === id) return replied(block, value as ApprovalReply)
    return block
  })
}

/** Applies a reply. The result of a child run's call is not shown here, only the approval. */
function replied({ approval, ...block }: ToolBlock, value: ApprovalReply): ToolBlock {
  if (!approval) return block
  const { approved } = value
  const reason = 'reason' in value ? value.reason : undefined
  const answered = { ...block, approval: { ...approval, reply: { approved, ...(reason && { reason }) } } }
  if (block.title === undefined) return answered
  return { ...answered, outcome: approved ? { type: 'output', output: 'Allowed.' } : { type: 'denied' } }
}

/** Questions that are open no more, and were not answered. */
export function closeAsks(view: MessageView, open: readonly Ask[]): MessageView {
  const isOver = (id: string): boolean => !open.some((ask) => ask.id === id)
  return editBlocks(view, (block) => {
    if (block.type === 'data' && block.name !== 'answer' && block.data.state === 'open' && isOver(block.id))
      return { ...block, data: { ...block.data, state: 'withdrawn' } }
    if (block.type !== 'tool' || !block.approval || block.approval.reply || !isOver(block.approval.ask.id)) return block
    const reply = { approved: false, reason: 'Nobody answered.' }
    return { ...block, approval: { ...block.approval, reply }, outcome: { type: 'denied' } }
  })
}
