import type { LanguageModelV4Message, LanguageModelV4StreamPart } from '@ai-sdk/provider'

export const callId = (number: number): string => `action-${number}`

/** The number of the next call: a larger one than any in the conversation, so that the same conversation gives the same. */
export function nextCall(prompt: readonly LanguageModelV4Message[]): number {
  let largest = 0
  for (const { role, content } of prompt)
    for (const part of role === 'assistant' ? content : [])
      if (part.type === 'tool-call')
        largest = Math.max(largest, Number(/^action-(\d+)$/.exec(part.toolCallId)?.[1] ?? 0))
  return largest + 1
}

/** The four parts of a whole call. */
export const callParts = ({ id, toolName, input }: WholeCall): LanguageModelV4StreamPart[] => [
  { type: 'tool-input-start', id, toolName },
  { type: 'tool-input-delta', id, delta: input },
  { type: 'tool-input-end', id },
  { type: 'tool-call', toolCallId: id, toolName, input },
]
export interface WholeCall {
  readonly id: string
  readonly toolName: string
  readonly input: string
}
