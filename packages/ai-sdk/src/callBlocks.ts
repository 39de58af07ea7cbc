import type { Json } from '@interleave/core'
import type { EventOf } from '@interleave/core/observe'
import { editBlocks, type MessageView, type ToolBlock, type ToolOutcome } from './messageView.ts'
import type { ProviderResult } from './turnBlocks.ts'

/** Marks a call as started, perhaps with another input than the model's. */
export const withCalled = (view: MessageView, { call, input }: EventOf<'called'>): MessageView =>
  input === undefined ? view : editCall(view, call, (block) => ({ ...block, input }))

export const withProgress = (view: MessageView, { call, output }: EventOf<'progressed'>): MessageView =>
  editCall(view, call, (block) =>
    block.outcome && !isPreliminary(block)
      ? block
      : { ...block, outcome: { type: 'output', output, isPreliminary: true } },
  )

/** Removes preliminary output once nothing is running. */
export const withoutProgress = (view: MessageView): MessageView =>
  editBlocks(view, (block) =>
    block.type === 'tool' && isPreliminary(block) ? { ...block, outcome: undefined } : block,
  )

export function withObserved(view: MessageView, observed: EventOf<'observed'>): MessageView {
  return editCall(view, observed.call, (block) => {
    // The provider's permission to continue is not an output; its tool's result comes with a later turn.
    if (block.isProviders && observed.result.type !== 'execution-denied') return block
    return settled(block, outcomeOf(observed))
  })
}

export function withAmended(view: MessageView, { of, input, result, output }: EventOf<'amended'>): MessageView {
  if (typeof of !== 'string') return view
  return editCall(view, of, (block) => ({
    ...block,
    ...(input !== undefined && { input }),
    ...(result && { outcome: outcomeOf({ result, ...(output !== undefined && { output }) }) }),
  }))
}

/** Adds the results of the provider's own tools. */
export const withResults = (view: MessageView, results: readonly ProviderResult[]): MessageView =>
  results.reduce((before, { id, outcome }) => {
    const latest = before.steps
      .flatMap(({ blocks }) => blocks)
      .findLast((block) => block.type === 'tool' && block.isProviders && isCalled(block, id))
    return latest ? editBlocks(before, (block) => (block === latest ? { ...latest, outcome } : block)) : before
  }, view)

const isCalled = (block: ToolBlock, id: string): boolean => block.id.slice(block.id.indexOf('-') + 1) === id

const isPreliminary = ({ outcome }: ToolBlock): boolean => outcome?.type === 'output' && outcome.isPreliminary === true

function editCall(view: MessageView, key: string, edit: (block: ToolBlock) => ToolBlock): MessageView {
  return editBlocks(view, (block) => (block.type === 'tool' && block.key === key ? edit(block) : block))
}

/**
 * Returns a settled call. A chat has refusals only of calls that were asked about, and outcomes only of calls that were
 * allowed.
 */
function settled(block: ToolBlock, outcome: ToolOutcome): ToolBlock {
  const { approval } = block
  if (!approval || approval.reply?.approved) {
    return { ...block, outcome: outcome.type === 'denied' ? refused : outcome }
  }
  const reason = outcome.type === 'error' ? outcome.text : undefined
  const reply = approval.reply ?? { approved: false, ...(reason && { reason }) }
  return { ...block, approval: { ...approval, reply }, outcome: { type: 'denied' } }
}
const refused: ToolOutcome = { type: 'error', text: 'Refused.' }

type Observation = Pick<EventOf<'observed'>, 'result' | 'output' | 'error'>

function outcomeOf({ result, output, error }: Observation): ToolOutcome {
  switch (result.type) {
    case 'execution-denied':
      return result.reason ? { type: 'error', text: result.reason } : { type: 'denied' }
    case 'error-text':
      return { type: 'error', text: result.value }
    case 'error-json':
      return { type: 'error', text: JSON.stringify(result.value) }
    default:
      if (error) return { type: 'error', text: error.message }
      return { type: 'output', output: output ?? (result.value as Json) }
  }
}
