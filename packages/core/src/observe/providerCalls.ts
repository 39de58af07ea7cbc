import { messageOf } from '../error.ts'
import type { Part } from '../part.ts'
import type { EventOf } from '../run.ts'
import type { CallMessage, ChatMessage } from './chatMessage.ts'

/** Calls that the provider runs itself, without asking whether it may. */
export function providerCalls({ at, iteration, parts, error }: EventOf<'thought'>): readonly CallMessage[] {
  if (error) return []
  const asked = new Set(parts.flatMap((part) => (part.type === 'tool-approval-request' ? [part.toolCallId] : [])))
  const own = parts.filter((part) => part.type === 'tool-call').filter((part) => part.providerExecuted)
  return own
    .filter(({ toolCallId }) => !asked.has(toolCallId))
    .map(({ toolCallId, toolName, input }) => ({
      type: 'call',
      key: `${iteration}/provider/${toolCallId}`,
      at,
      tool: toolName,
      state: 'working',
      input,
    }))
}

/** Their results come in the same turn, or in a later one. */
export function readProviderResults(messages: ChatMessage[], { parts }: EventOf<'thought'>): void {
  for (const part of parts) if (part.type === 'tool-result') finish(messages, part)
}

function finish(
  messages: ChatMessage[],
  { toolCallId, result, isError }: Extract<Part, { type: 'tool-result' }>,
): void {
  const index = messages.findLastIndex(
    (message) => message.type === 'call' && message.key.endsWith(`/provider/${toolCallId}`),
  )
  const call = messages[index]
  if (call?.type !== 'call') return
  const error = { code: 'tool_failed', message: messageOf(result), retryable: false } as const
  messages[index] = { ...call, state: isError ? 'failed' : 'done', output: result, ...(isError && { error }) }
}
