import type { LanguageModelV4Message } from '@ai-sdk/provider'
import type { Json } from '@interleave/core'
import type { SeededItem } from './chatItems.ts'
import type { RunUIMessage } from './runUIMessage.ts'
import { fileUrl } from './turnBlocks.ts'
import { toUserParts } from './userParts.ts'

type UIPart = RunUIMessage['parts'][number]
type Assistant = Extract<LanguageModelV4Message, { role: 'assistant' }>
type Output = Extract<
  Extract<LanguageModelV4Message, { role: 'tool' }>['content'][number],
  { type: 'tool-result' }
>['output']

/** Messages of an earlier conversation as a chat shows them. What the assistant said and did in a row is one message. */
export function seededMessages({ id, messages }: SeededItem): RunUIMessage[] {
  const shown: RunUIMessage[] = []
  const outputs = outputsIn(messages)
  for (const message of messages) {
    const last = shown.at(-1)
    if (message.role === 'assistant') {
      const parts: UIPart[] = [{ type: 'step-start' }, ...message.content.flatMap((part) => toPart(part, outputs))]
      if (last?.role === 'assistant') last.parts.push(...parts)
      else shown.push({ id: `${id}/${shown.length}`, role: 'assistant', parts })
    } else if (message.role === 'user') {
      shown.push({ id: `${id}/${shown.length}`, role: 'user', parts: toUserParts(message.content) })
    } else if (message.role === 'system') {
      shown.push({ id: `${id}/${shown.length}`, role: 'system', parts: [{ type: 'text', text: message.content }] })
    }
  }
  return shown
}

function outputsIn(messages: readonly LanguageModelV4Message[]): ReadonlyMap<string, Output> {
  const outputs = new Map<string, Output>()
  for (const message of messages) {
    if (message.role !== 'tool' && message.role !== 'assistant') continue
    for (const part of message.content) if (part.type === 'tool-result') outputs.set(part.toolCallId, part.output)
  }
  return outputs
}

function toPart(part: Assistant['content'][number], outputs: ReadonlyMap<string, Output>): UIPart[] {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text === '' ? [] : [{ type: part.type, text: part.text, state: 'done' }]
    case 'file':
    case 'reasoning-file': {
      const url = fileUrl(part.data, part.mediaType)
      return url === undefined ? [] : [{ type: part.type, mediaType: part.mediaType, url }]
    }
    case 'tool-call': {
      const { toolCallId, toolName, input, providerExecuted } = part
      const call = {
        type: `tool-${toolName}`,
        toolCallId,
        input,
        ...(providerExecuted && { providerExecuted }),
      } as const
      return [{ ...call, ...stateOf(outputs.get(toolCallId)) } as UIPart]
    }
    default:
      return []
  }
}

function stateOf(output: Output | undefined): object {
  if (!output) return { state: 'output-error', errorText: 'The call has no result.' }
  switch (output.type) {
    case 'error-text':
      return { state: 'output-error', errorText: output.value }
    case 'error-json':
      return { state: 'output-error', errorText: JSON.stringify(output.value) }
    case 'execution-denied':
      return { state: 'output-error', errorText: output.reason ?? 'Refused.' }
    default:
      return { state: 'output-available', output: output.value as Json }
  }
}
