import type { Call } from './entry.ts'
import type { Thought } from './event.ts'
import type { Part } from './part.ts'

/** The calls of a turn that are ours to run or to allow, in the order of the model. */
export function callsOf({ parts }: Thought, iteration: number): Call[] {
  const calls: Call[] = []
  for (const part of parts) {
    const key = `${iteration}/tool/${calls.length}`
    if (part.type === 'tool-approval-request') calls.push(toApproval(part, parts, key))
    if (part.type !== 'tool-call' || part.providerExecuted) continue
    const { toolCallId: id, toolName: name, input, invalid } = part
    calls.push({ key, id, name, input, ...(invalid && { invalid }) })
  }
  return calls
}

type ApprovalPart = Extract<Part, { type: 'tool-approval-request' }>

/** A provider that asks whether it may run a call of its own is answered like a call of ours. */
function toApproval({ approvalId, toolCallId: id }: ApprovalPart, parts: readonly Part[], key: string): Call {
  const asked = parts.find((part) => part.type === 'tool-call' && part.toolCallId === id)
  const { toolName: name, input } =
    asked?.type === 'tool-call' ? asked : { toolName: 'a tool of the provider', input: null }
  return { key, id, name, input, approvalId }
}
