import type { Json } from '@interleave/core'
import { type Delta, lastOf, type Part, type Thought, type ToolCallPart, toJson } from '@interleave/core/internal'
import { type EventOf, failureSentences, userMessageOf } from '@interleave/core/observe'
import {
  type Block,
  editBlock,
  editBlocks,
  type FixedBlock,
  type Grown,
  type MessageView,
  type StepView,
  type TextBlock,
  type ToolBlock,
  type ToolOutcome,
  withLastStep,
  withNewStep,
} from './messageView.ts'

/** A provider's result of its own call, which may be from an earlier turn. */
interface ProviderResult {
  readonly id: string
  readonly outcome: ToolOutcome
}
interface ReadTurn {
  readonly blocks: readonly Block[]
  readonly results: readonly ProviderResult[]
}

/** Returns the blocks of a finished turn. A stopped turn keeps its text; another failed turn has none. */
export function turnBlocks({ parts, error }: Pick<Thought, 'parts' | 'error'>, iteration: number): ReadTurn {
  if (error && error.code !== 'stopped') return { blocks: [], results: [] }
  const shown = error ? parts.filter(({ type }) => type === 'text' || type === 'reasoning') : parts
  const blocks: Block[] = []
  const results: ProviderResult[] = []
  const ids = new Map<string, number>()
  let keys = 0
  for (const part of shown) {
    const last = blocks.at(-1)
    if (part.type === 'text' || part.type === 'reasoning') {
      if (part.text === '') continue
      if (last?.type === part.type) blocks[blocks.length - 1] = { ...last, text: last.text + part.text } as TextBlock
      else blocks.push({ type: part.type, id: textId(iteration, blocks.length), text: part.text, isDone: true })
    } else if (part.type === 'tool-call') {
      const before = ids.get(part.toolCallId) ?? 0
      ids.set(part.toolCallId, before + 1)
      const key = part.providerExecuted ? undefined : `${iteration}/tool/${keys++}`
      blocks.push(toolBlock(part, { id: toolId(iteration, part.toolCallId, before), ...(key && { key }) }))
    } else if (part.type === 'tool-approval-request') {
      const key = `${iteration}/tool/${keys++}`
      const at = blocks.findIndex((block) => block.type === 'tool' && block.id === toolId(iteration, part.toolCallId))
      const asking = blocks[at]
      if (asking) blocks[at] = { ...asking, key } as ToolBlock
    } else if (part.type === 'tool-result') {
      results.push({ id: part.toolCallId, outcome: resultOf(part) })
    } else {
      const chunk = fixedChunk(part)
      if (chunk) blocks.push({ type: 'fixed', chunk })
    }
  }
  return { blocks, results }
}

const textId = (iteration: number, index: number): string => `${iteration}-${index}`

/** Returns a unique id: providers repeat their ids from turn to turn, and some even within a turn. */
const toolId = (iteration: number, id: string, before = 0): string =>
  before === 0 ? `${iteration}-${id}` : `${iteration}-${id}-${before + 1}`

function toolBlock(
  { toolName: name, input, invalid, providerExecuted }: ToolCallPart,
  ids: Pick<ToolBlock, 'id' | 'key'>,
): ToolBlock {
  return {
    type: 'tool',
    ...ids,
    name,
    inputText: '',
    input,
    ...(invalid && { invalid }),
    ...(providerExecuted && { isProviders: true }),
  }
}

const resultOf = ({ result, isError }: Extract<Part, { type: 'tool-result' }>): ToolOutcome =>
  isError ? { type: 'error', text: failureSentences.tool_failed } : { type: 'output', output: toJson(result) }

type Fixed = Exclude<Part, { type: 'text' | 'reasoning' | 'tool-call' | 'tool-result' | 'tool-approval-request' }>

function fixedChunk(part: Fixed): FixedBlock['chunk'] | undefined {
  switch (part.type) {
    case 'source': {
      const { id: sourceId, title } = part
      if (part.sourceType === 'url') return { type: 'source-url', sourceId, url: part.url, ...(title && { title }) }
      const { mediaType, filename } = part
      return { type: 'source-document', sourceId, mediaType, title: part.title, ...(filename && { filename }) }
    }
    case 'file':
    case 'reasoning-file': {
      const url = fileUrl(part.data, part.mediaType)
      return url === undefined ? undefined : { type: part.type, mediaType: part.mediaType, url }
    }
    case 'custom':
      return { type: 'custom', kind: part.kind }
  }
}

/** Converts a file of the model interface to a URL, if possible. A log may have a file without data. */
export function fileUrl(data: unknown, mediaType: string): string | undefined {
  const { type, ...given }: { type?: unknown; data?: unknown; url?: unknown; text?: unknown } = Object(data)
  if (type === 'url') return String(given.url)
  if (type === 'data') return `data:${mediaType};base64,${String(toJson(given.data))}`
  return type === 'text' ? `data:${mediaType},${encodeURIComponent(wellFormed(String(given.text)))}` : undefined
}

/** Replaces lone surrogates, which a URL cannot contain. */
const wellFormed = (text: string): string => new TextDecoder().decode(new TextEncoder().encode(text))

/** Removes the streamed part of a turn that is retried. */
export function withoutOpenTurn(view: MessageView): MessageView {
  const last = lastOf(view.steps)
  return last?.isOpen && last.blocks.length > 0 ? withLastStep(view, { ...last, blocks: [] }) : view
}

/** Adds a delta of the streaming turn. */
export function withDelta(view: MessageView, delta: Delta, turn: number): MessageView {
  const last = lastOf(view.steps)
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

/** Marks a call as started, perhaps with another input than the model's. */
export const withCalled = (view: MessageView, { call, input }: EventOf<'claimed'>): MessageView =>
  input === undefined ? view : editCall(view, call, (block) => ({ ...block, input }))

export const withProgress = (view: MessageView, { call, output }: EventOf<'progressed'>): MessageView =>
  editCall({ ...view, hasProgress: true }, call, (block) =>
    block.outcome && !isPreliminary(block)
      ? block
      : { ...block, outcome: { type: 'output', output, isPreliminary: true } },
  )

/** Removes preliminary output once nothing is running. */
export function withoutProgress({ hasProgress, ...view }: MessageView): MessageView {
  if (!hasProgress) return view
  return editBlocks(view, (block) =>
    block.type === 'tool' && isPreliminary(block) ? { ...block, outcome: undefined } : block,
  )
}

export function withObserved(view: MessageView, observed: EventOf<'observed'>): MessageView {
  return editCall(view, observed.call, (block) => {
    // The provider's permission to continue is not an output; its tool's result comes with a later turn.
    if (block.isProviders && observed.result.type !== 'execution-denied') return block
    return settled(block, outcomeOf(observed))
  })
}

export function withAmended(view: MessageView, { target, input, result, output }: EventOf<'amended'>): MessageView {
  if (typeof target !== 'string') return view
  return editCall(view, target, (block) => ({
    ...block,
    ...(input !== undefined && { input }),
    ...(result && { outcome: outcomeOf({ result, ...(output !== undefined && { output }) }) }),
  }))
}

/** Adds the results of the provider's own tools. */
export const withResults = (view: MessageView, results: readonly ProviderResult[]): MessageView =>
  results.reduce(
    (before, { id, outcome }) =>
      editBlock(before, {
        fits: (block) => block.type === 'tool' && block.isProviders === true && isCalled(block, id),
        edit: (block) => (block.type === 'tool' ? { ...block, outcome } : block),
      }),
    view,
  )

const isCalled = (block: ToolBlock, id: string): boolean => block.id.slice(block.id.indexOf('-') + 1) === id

const isPreliminary = ({ outcome }: ToolBlock): boolean => outcome?.type === 'output' && outcome.isPreliminary === true

/** Edits a call of this run, by a key such as `3/tool/0`: it is in the step of that turn. */
export function editCall(view: MessageView, key: string, edit: (block: ToolBlock) => ToolBlock): MessageView {
  const turn = Number.parseInt(key, 10)
  return editBlock(view, {
    fits: (block) => block.type === 'tool' && block.key === key,
    edit: (block) => (block.type === 'tool' ? edit(block) : block),
    isFirst: (step) => step.turn !== undefined && step.turn <= turn,
  })
}

/**
 * Returns a settled call. In a chat, only calls with an approval can be refused, and only allowed ones have outcomes.
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
    case 'error-json':
      return { type: 'error', text: error ? userMessageOf(error) : failureSentences.tool_failed }
    default:
      if (error) return { type: 'error', text: userMessageOf(error) }
      return { type: 'output', output: output ?? (result.value as Json) }
  }
}
