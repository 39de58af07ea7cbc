import { AgentError, type Ask, type Json } from '@interleave/core'
import { DEV, isObject } from '@interleave/core/internal'
import type { JsonObject } from '../client/rpc.ts'

/** A question in the form of an MCP client. */
export interface Elicitation {
  readonly method: 'elicitation/create'
  readonly params: { readonly message: string } & (
    | { readonly mode: 'form'; readonly requestedSchema: JsonObject }
    | { readonly mode: 'url'; readonly url: string }
  )
}

/** Converts a question of a run to one that an MCP client can show. */
export function elicitationOf(ask: Ask): Elicitation {
  const message = ask.asker === undefined ? ask.prompt : `${ask.asker} asks: ${ask.prompt}`
  if (ask.kind === 'link') return { method: 'elicitation/create', params: { mode: 'url', message, url: ask.url } }
  const shown = ask.kind === 'approval' ? `${message}\n\n${ask.tool} ${JSON.stringify(ask.input)}` : message
  return {
    method: 'elicitation/create',
    params: { mode: 'form', message: shown, requestedSchema: schemaOf(ask) },
  }
}

function schemaOf(ask: Exclude<Ask, { kind: 'link' }>): JsonObject {
  switch (ask.kind) {
    case 'choice':
      return only({ type: 'string', oneOf: titled(ask.options) })
    case 'choices': {
      const items = { anyOf: titled(ask.options) }
      return only({ type: 'array', items, minItems: ask.min, maxItems: ask.max })
    }
    case 'confirm':
      return only({ type: 'boolean', title: `${ask.yes}?` })
    case 'text':
      return only({ type: 'string', minLength: ask.minLength, maxLength: ask.maxLength })
    case 'approval':
      return fields({ approved: { type: 'boolean' }, reason: { type: 'string' } }, ['approved'])
    case 'extension':
      return fields({ extend: { type: 'number', minimum: 0, description: 'Leave it empty to finish.' } }, [])
    case 'form':
      return flat(ask.schema as JsonObject)
  }
}

const fields = (properties: JsonObject, required: string[]): JsonObject => ({ type: 'object', properties, required })
const only = (schema: JsonObject): JsonObject => fields({ value: schema as Json }, ['value'])
const titled = (options: readonly { value: string; label: string }[]): Json[] =>
  options.map(({ value, label }) => ({ const: value, title: label }))

/** Returns a schema of one level. Throws for a nested one, which clients cannot show. */
function flat({ properties, required = [] }: JsonObject): JsonObject {
  const members = isObject(properties) ? Object.values(properties) : []
  const isFlat = members.length > 0 && members.every((member) => isObject(member) && member.type !== 'object')
  if (!isFlat) {
    const advice = 'Ask with choice(), confirm(), or a form() with fields of one level.'
    throw new AgentError('schema_unsupported', DEV && `An MCP client cannot show this form. ${advice}`)
  }
  return { type: 'object', properties, required }
}

/** Returns the reply to a question from the accepted content. The run validates it. */
export function acceptedReply(ask: Ask, content: JsonObject): Json {
  switch (ask.kind) {
    case 'link':
      return 'done'
    case 'form':
      return content as Json
    case 'approval': {
      const { approved, reason } = content
      const why = typeof reason === 'string' && reason !== '' && approved !== true ? { reason } : {}
      return { approved: approved ?? null, ...why }
    }
    case 'extension':
      return typeof content.extend === 'number' && content.extend > 0 ? { extend: content.extend } : { finish: true }
    default:
      return content.value ?? null
  }
}
