import type { Ask, Json } from '@interleave/core'
import { isObject, toJson } from '@interleave/core/internal'
import type { AgUiInterrupt, Metadata } from '../protocol.ts'

/** Parses the id of an interrupt: the id of its question, and the `seq` at which it was asked. */
export function readInterruptId(id: string): { readonly ask: string; readonly seq: number } | undefined {
  const at = id.lastIndexOf('@')
  const seq = Number(id.slice(at + 1))
  return at > 0 && Number.isSafeInteger(seq) && seq >= 0 ? { ask: id.slice(0, at), seq } : undefined
}

/**
 * Converts an open question to an interrupt. Its metadata has the whole question, for front ends that know Interleave.
 */
export function toInterrupt(ask: Ask, seq: number): AgUiInterrupt {
  const { call, from } = ask
  return {
    // A question that is asked again needs an answer of its own.
    id: `${ask.id}@${seq}`,
    reason: reasonOf(ask),
    message: messageOf(ask),
    ...(call !== undefined && { toolCallId: call }),
    responseSchema: schemaOf(ask),
    metadata: { interleave: toJson({ ...ask }) },
    ...(from && { subagentRunId: from.runId }),
  }
}

/**
 * Returns the message of a question. A front end may show nothing else, so it contains what is approved, and where a
 * link leads.
 */
function messageOf(ask: Ask): string {
  const message = ask.asker === undefined ? ask.prompt : `${ask.asker} asks: ${ask.prompt}`
  if (ask.kind === 'link') return `${message}\n\n${ask.url}`
  if (ask.kind !== 'approval') return message
  const input = JSON.stringify(ask.input)
  return `${message}\n\n${ask.tool} ${input.length > longestInput ? `${input.slice(0, longestInput)}…` : input}`
}

const longestInput = 2_000

function reasonOf({ kind, call, from }: Ask): string {
  if (kind === 'approval') return call !== undefined && !from ? 'tool_call' : 'interleave:approval'
  if (kind === 'confirm') return 'confirmation'
  return kind === 'link' || kind === 'extension' ? `interleave:${kind}` : 'input_required'
}

/** Returns the schema of the payload that answers a question. */
function schemaOf(ask: Ask): Metadata {
  switch (ask.kind) {
    case 'choice':
      return { type: 'string', oneOf: titled(ask.options) }
    case 'choices': {
      const { min, max } = ask
      return { type: 'array', items: { type: 'string', oneOf: titled(ask.options) }, minItems: min, maxItems: max }
    }
    case 'confirm':
      return { type: 'boolean' }
    case 'text':
      return { type: 'string', minLength: ask.minLength, maxLength: ask.maxLength }
    case 'form':
      return ask.schema as Metadata
    case 'link':
      return { type: 'string', const: 'done', description: `Open ${ask.url}` }
    case 'approval': {
      const { schema } = ask
      const editedArgs = { ...(schema as Metadata), description: 'Replaces the whole input.' }
      return fields({ approved: { type: 'boolean' }, editedArgs, reason: { type: 'string' } }, ['approved'])
    }
    case 'extension':
      return fields({ extend: { type: 'number', exclusiveMinimum: 0 }, finish: { type: 'boolean', const: true } }, [])
  }
}

const fields = (properties: Metadata, required: string[]): Metadata => ({
  type: 'object',
  properties,
  required,
})
const titled = (options: readonly { value: string; label: string }[]): Json[] =>
  options.map(({ value, label }) => ({ const: value, title: label }))

/** Converts a payload to a reply. The run validates it. */
export function payloadReply(ask: Ask, payload: Json | undefined): Json {
  if (ask.kind === 'link') return 'done'
  if (ask.kind !== 'approval' || !isObject(payload)) return payload ?? null
  const { approved, editedArgs, reason } = payload
  if (approved === true) return { approved, ...(editedArgs !== undefined && { input: editedArgs as Json }) }
  return { approved: approved ?? null, ...(typeof reason === 'string' && reason !== '' && { reason }) } as Json
}

/** Returns the reply of a user who does not want to answer; undefined if the question needs an answer. */
export function cancelledReply(ask: Ask): Json | undefined {
  if (ask.declinable) return { $reply: 'cancelled' }
  if (ask.kind === 'approval') return { approved: false, reason: 'The user has cancelled it.' }
  return ask.kind === 'extension' ? { finish: true } : undefined
}

/** Returns true for a call that waits for a tool of the client. */
export const isForPage = (ask: Ask, tools: ReadonlySet<string>): boolean =>
  ask.kind === 'choice' && !ask.from && ask.call !== undefined && ask.pageFor !== undefined && tools.has(ask.pageFor)
