import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from 'ai'
import { convertToLanguageModelPrompt } from 'ai/internal'
import {
  type RecordedMessage,
  type RecordedResult,
  type RecordedRun,
  type RecordedTurn,
  resultsOf,
} from './trajectory.ts'

/** Returns what precedes the first input of a run: the first system message as instructions, the rest as history. */
export function openingOf({ history, input }: RecordedRun): {
  instructions: string | undefined
  messages: readonly RecordedMessage[]
} {
  const before = [...history, ...input.slice(0, -1)]
  const [first] = before
  return first?.role === 'system'
    ? { instructions: first.content, messages: before.slice(1) }
    : { instructions: undefined, messages: before }
}

/** Recorded messages as the AI SDK itself gives them to a model. */
export async function toPrompt(
  messages: readonly RecordedMessage[],
  instructions?: string,
): Promise<LanguageModelV4Message[]> {
  const prompt = { instructions, messages: toModelMessages(messages) }
  return convertToLanguageModelPrompt({ prompt, supportedUrls: {}, download: undefined })
}

/** The prompt of each turn of runs that follow one another, by the AI SDK. */
export async function promptsOf(runs: readonly [RecordedRun, ...RecordedRun[]]): Promise<LanguageModelV4Prompt[]> {
  const [first] = runs
  const { instructions, messages } = openingOf(first)
  const past = [...messages, ...first.input.slice(-1)]
  const prompts: LanguageModelV4Prompt[] = []
  for (const [index, run] of runs.entries()) {
    if (index > 0) past.push(...run.input)
    for (const message of run.messages) {
      if (message.role === 'assistant') prompts.push(await toPrompt(past, instructions))
      past.push(message)
    }
  }
  return prompts
}

/** Recorded messages in the AI SDK's own form, without any code of the engine. */
function toModelMessages(messages: readonly RecordedMessage[]): ModelMessage[] {
  const results = resultsOf(messages)
  let turn = 0
  return messages.flatMap((message): ModelMessage[] => {
    if (message.role === 'tool') return []
    if (message.role !== 'assistant') return [{ role: message.role, content: message.content }]
    return turnMessages(message, results[turn++] ?? [])
  })
}

/**
 * Converts a turn to messages. An empty turn becomes no message, and a call without a result is omitted: the AI SDK's
 * own loop omits the first, and `ignoreIncompleteToolCalls` the second.
 */
function turnMessages(turn: RecordedTurn, results: readonly (RecordedResult | undefined)[]): ModelMessage[] {
  const content: Exclude<AssistantModelMessage['content'], string> = []
  const answers: ToolModelMessage['content'] = []
  if (turn.reasoning) content.push({ type: 'reasoning', text: turn.reasoning })
  if (turn.content) content.push({ type: 'text', text: turn.content })
  for (const [index, { id: toolCallId, name: toolName, args_raw, args }] of (turn.tool_calls ?? []).entries()) {
    const result = results[index]
    if (!result) continue
    const output = { type: result.error ? ('error-text' as const) : ('text' as const), value: result.content }
    content.push({ type: 'tool-call', toolCallId, toolName, input: args_raw == null ? args : parsed(args_raw) })
    answers.push({ type: 'tool-result', toolCallId, toolName, output })
  }
  return [
    ...(content.length > 0 ? [{ role: 'assistant' as const, content }] : []),
    ...(answers.length > 0 ? [{ role: 'tool' as const, content: answers }] : []),
  ]
}

/** The AI SDK gives input that is no JSON back as an empty object. */
function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    return {}
  }
}
