import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { toJson } from '@interleave/core/internal'
import type { UIMessage } from 'ai'
import { checkMessages, fromFile, fromUserParts } from './userParts.ts'

type Part = UIMessage['parts'][number]
type Assistant = Extract<LanguageModelV4Message, { role: 'assistant' }>
type Tool = Extract<LanguageModelV4Message, { role: 'tool' }>
type Result = Extract<Tool['content'][number], { type: 'tool-result' }>

/**
 * Converts chat messages to the `history` of a run. Omits calls without a result, and reasoning: providers require its
 * signatures, which a chat may lack.
 */
export function fromUIMessages(messages: readonly UIMessage[]): LanguageModelV4Message[] {
  checkMessages(messages)
  return messages.flatMap((message): LanguageModelV4Message[] => {
    if (message.role === 'assistant') return stepsOf(message.parts).flatMap(fromStep)
    if (message.role === 'system') return [{ role: 'system', content: textOf(message.parts) }]
    const content = fromUserParts(message)
    return [{ role: 'user', content: typeof content === 'string' ? [{ type: 'text', text: content }] : [...content] }]
  })
}

const textOf = (parts: readonly Part[]): string => parts.map((part) => (part.type === 'text' ? part.text : '')).join('')

function stepsOf(parts: readonly Part[]): Part[][] {
  const steps: Part[][] = [[]]
  for (const part of parts) {
    if (part.type === 'step-start') steps.push([])
    else steps.at(-1)?.push(part)
  }
  return steps
}

function fromStep(parts: readonly Part[]): LanguageModelV4Message[] {
  const results: Result[] = []
  const content = parts.flatMap((part): Assistant['content'] => {
    if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }]
    if (part.type === 'file') return [fromFile(part)]
    const call = callIn(part)
    if (!call) return []
    results.push(call.result)
    const { toolCallId, toolName } = call.result
    return [{ type: 'tool-call', toolCallId, toolName, input: call.input }]
  })
  if (content.length === 0) return []
  return [{ role: 'assistant', content }, ...(results.length > 0 ? [{ role: 'tool', content: results } as const] : [])]
}

/** A call that the app or an agent ran, and what came of it. */
function callIn(part: Part): { readonly input: unknown; readonly result: Result } | undefined {
  if (!('toolCallId' in part) || part.providerExecuted) return undefined
  const { toolCallId, input } = part
  const toolName = part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length)
  const output = outputIn(part)
  return output && { input: toJson(input ?? {}), result: { type: 'tool-result', toolCallId, toolName, output } }
}

function outputIn(part: Extract<Part, { toolCallId: string }>): Result['output'] | undefined {
  switch (part.state) {
    case 'output-available': {
      const output = toJson(part.output)
      if (part.preliminary) return undefined
      return typeof output === 'string' ? { type: 'text', value: output } : { type: 'json', value: output }
    }
    case 'output-error':
      return { type: 'error-text', value: part.errorText }
    case 'output-denied': {
      const { reason } = part.approval
      return { type: 'execution-denied', ...(reason && { reason }) }
    }
    default:
      return undefined
  }
}
