import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4TextPart,
  LanguageModelV4ToolResultOutput,
} from '@ai-sdk/provider'
import type { Json } from '@interleave/core'
import { problemOf } from '@interleave/core/internal'

/** A conversation as steps, before it is written in a format. */
export type TranscriptItem = UserItem | StepItem | ObservationItem

export interface UserItem {
  readonly type: 'user'
  readonly content: readonly (LanguageModelV4TextPart | LanguageModelV4FilePart)[]
}
export interface StepItem {
  readonly type: 'step'
  readonly thought?: string
  readonly action?: { readonly tool: string; readonly input: Json }
  readonly answer?: Json
  /** The whole text of the model, if it was not a valid step. */
  readonly malformed?: string
}
export interface ObservationItem {
  readonly type: 'observation'
  readonly text: string
  readonly files: readonly LanguageModelV4FilePart[]
}

type AssistantMessage = Extract<LanguageModelV4Message, { role: 'assistant' }>
type AssistantPart = AssistantMessage['content'][number]
type CallPart = Extract<AssistantPart, { type: 'tool-call' }>
type ResultPart = Extract<AssistantPart, { type: 'tool-result' }>

export interface TranscriptOptions {
  /** The tool whose input is the final answer. */
  readonly answerTool: string
  /** Includes reasoning that a provider separated from the text; by default only if there is no other. */
  readonly allReasoning?: boolean
}

/** Returns the steps in the messages of a prompt. System messages are left to the caller. */
export function toTranscript(prompt: readonly LanguageModelV4Message[], options: TranscriptOptions): TranscriptItem[] {
  return prompt.flatMap((message, index): readonly TranscriptItem[] => {
    if (message.role === 'user') return [{ type: 'user', content: message.content }]
    return message.role === 'assistant' ? turnItems(message, resultsOf(prompt, index), options) : []
  })
}

/** Returns the results of a turn: from the message itself if the provider executed the tool, else from later messages. */
function resultsOf(prompt: readonly LanguageModelV4Message[], index: number): ResultPart[] {
  const { content } = prompt[index] as AssistantMessage
  const results = content.filter((part) => part.type === 'tool-result')
  for (let next = prompt[++index]; next?.role === 'tool'; next = prompt[++index])
    results.push(...next.content.filter((part) => part.type === 'tool-result'))
  return results
}

/** Returns one step per call: a text contains one action, and concurrent calls are listed one after another. */
function turnItems({ content }: AssistantMessage, results: ResultPart[], options: TranscriptOptions): TranscriptItem[] {
  const calls = content.filter((part) => part.type === 'tool-call')
  const text = joined(content, 'text')
  const thought = reasoningOf(content, options)
  if (calls.length === 0) return [{ type: 'step', ...thinking(thought), ...(text !== '' && { answer: text }) }]
  const spoken = [thought, text].filter((words) => words !== '').join('\n')
  return calls.flatMap((call, index) => {
    const step = stepOf(call, index === 0 ? spoken : '', options)
    const at = results.findIndex(({ toolCallId }) => toolCallId === call.toolCallId)
    const [result] = at === -1 ? [] : results.splice(at, 1)
    const observation = observationOf(call, result?.output)
    const isAccepted = step.answer !== undefined && result && !isRefusal(result.output)
    return observation && !isAccepted ? [step, observation] : [step]
  })
}

const thinking = (thought: string): Pick<StepItem, 'thought'> => (thought === '' ? {} : { thought })

function stepOf(call: CallPart, thought: string, { answerTool }: TranscriptOptions): StepItem {
  const input = call.input as Json
  if (problemOf(call.providerOptions) !== undefined) return { type: 'step', malformed: writtenText(input) }
  const step = { type: 'step' as const, ...thinking(thought) }
  if (call.toolName === answerTool) return { ...step, answer: input }
  return { ...step, action: { tool: call.toolName, input } }
}

const writtenText = (input: Json): string => String((input as { text?: Json } | null)?.text ?? '')

/** Returns thoughts that text mode read, or else the provider's reasoning. */
function reasoningOf(content: AssistantMessage['content'], { allReasoning }: TranscriptOptions): string {
  const ours = content.filter(isThought)
  if (ours.length > 0 && !allReasoning) return joined(ours, 'reasoning')
  return allReasoning || joined(content, 'text') === '' ? joined(content, 'reasoning') : ''
}
const isThought = (part: AssistantPart): boolean => part.providerOptions?.interleave?.thought === true

const joined = (content: readonly AssistantPart[], type: 'text' | 'reasoning'): string =>
  content
    .map((part) => (part.type === type ? part.text : ''))
    .join('')
    .trim()

function observationOf(
  call: CallPart,
  output: LanguageModelV4ToolResultOutput | undefined,
): TranscriptItem | undefined {
  const problem = problemOf(call.providerOptions)
  if (problem !== undefined) return { type: 'observation', text: problem, files: [] }
  return output && { type: 'observation', text: toText(output), files: filesOf(output) }
}

const isRefusal = ({ type }: LanguageModelV4ToolResultOutput): boolean =>
  type === 'error-text' || type === 'error-json' || type === 'execution-denied'

/** Returns a result as text. */
function toText(output: LanguageModelV4ToolResultOutput): string {
  switch (output.type) {
    case 'text':
      return output.value
    case 'json':
      return typeof output.value === 'string' ? output.value : JSON.stringify(output.value)
    case 'error-text':
      return `Error: ${output.value}`
    case 'error-json':
      return `Error: ${JSON.stringify(output.value)}`
    case 'execution-denied':
      return `The user did not allow this.${output.reason ? ` ${output.reason}` : ''}`
    case 'content':
      return output.value.map((part) => (part.type === 'text' ? part.text : `(a ${part.type})`)).join('\n')
  }
}

const filesOf = (output: LanguageModelV4ToolResultOutput): LanguageModelV4FilePart[] =>
  output.type === 'content' ? output.value.filter((part) => part.type === 'file') : []
