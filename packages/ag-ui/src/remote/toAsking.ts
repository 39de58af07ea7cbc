import type { Json, Question, TypedQuestion } from '@interleave/core'
import { asking, isDeclined, isObject, type JsonSchema } from '@interleave/core/internal'
import type { ResumeEntry } from '../handler/runInput.ts'
import { type JsonObject, malformed } from './remoteEvents.ts'

/** A question of a remote agent, as its event has it. */
export interface RemoteInterrupt {
  readonly id: string
  readonly reason: string
  readonly message: string
  readonly schema: JsonObject | undefined
}

const most = { interrupts: 20, text: 10_000, fields: 50, options: 500 }

/** Reads the questions of an outcome. Throws for what cannot be shown. */
export function readInterrupts(agent: string, given: Json | undefined): readonly RemoteInterrupt[] {
  const list = Array.isArray(given) ? given : []
  if (list.length === 0 || list.length > most.interrupts) throw malformed(agent, `${list.length} interrupts at once`)
  return list.map((interrupt) => {
    const { id, reason, message = reason, responseSchema } = isObject(interrupt) ? interrupt : ({} as JsonObject)
    if (!isShort(id, 500) || !isShort(reason) || !isShort(message))
      throw malformed(agent, 'an interrupt that cannot be shown')
    const schema = isObject(responseSchema) ? (responseSchema as JsonObject) : undefined
    const isPermission = isObject(schema?.properties) && isObject(schema.properties.approved)
    if (schema?.type === 'object' && !isPermission && !flat(schema)) {
      throw malformed(agent, 'an interrupt whose answer has fields that cannot be asked for')
    }
    return { id, reason, message, schema }
  })
}

const isShort = (text: unknown, length = most.text): text is string =>
  typeof text === 'string' && text !== '' && text.length <= length

type Entry = Omit<ResumeEntry, 'interruptId'>

/** Turns a question of a remote agent into one of the run. It can be declined, which cancels the interrupt. */
export function toAsking({ reason, message, schema }: RemoteInterrupt, asker: string): TypedQuestion<Entry> {
  const common = { prompt: message, asker, declinable: true } as const
  const yesOrNo = { ...common, kind: 'confirm', yes: 'Yes', no: 'No' } as const
  const properties = isObject(schema?.properties) ? schema.properties : undefined
  if (properties && isObject(properties.approved))
    return answering(yesOrNo, (approved) => ({ approved: approved as Json }))
  if (schema?.type === 'boolean' || (!schema && reason === 'confirmation')) return answering(yesOrNo)
  const options = schema && optionsIn(schema)
  if (options) return answering({ ...common, kind: 'choice', options })
  const several = schema?.type === 'array' && isObject(schema.items) ? optionsIn(schema.items as JsonObject) : undefined
  if (several) {
    const [min, max] = [countOf(schema?.minItems, 0), countOf(schema?.maxItems, several.length)]
    return answering({ ...common, kind: 'choices', options: several, min, max })
  }
  const form = schema?.type === 'object' ? flat(schema) : undefined
  if (form) return answering({ ...common, kind: 'form', schema: form })
  const [minLength, maxLength] = [countOf(schema?.minLength, 0), countOf(schema?.maxLength, most.text)]
  return answering({ ...common, kind: 'text', minLength, maxLength })
}

const countOf = (given: Json | undefined, otherwise: number): number =>
  typeof given === 'number' && given >= 0 ? Math.min(given, most.text) : otherwise

function answering(question: Question, toPayload: (reply: Json) => Json = (reply) => reply): TypedQuestion<Entry> {
  const { check } = asking<Json>(question)
  return {
    question,
    async check(reply) {
      if (isDeclined(reply)) return { ok: true, value: { status: 'cancelled' } }
      const checked = await check(reply)
      return checked.ok
        ? { ok: true, value: { status: 'resolved', payload: toPayload(checked.value as Json) } }
        : checked
    },
  }
}

function optionsIn({
  const: only,
  enum: names,
  oneOf,
  anyOf,
}: JsonObject): { value: string; label: string }[] | undefined {
  const given = only === undefined ? (names ?? oneOf ?? anyOf) : [only]
  if (!Array.isArray(given) || given.length === 0 || given.length > most.options) return undefined
  const options = given.map((option) => {
    const { const: value, title = value } = (isObject(option) ? option : { const: option }) as JsonObject
    return typeof value === 'string' && value !== '' ? { value, label: String(title).slice(0, 500) } : undefined
  })
  const values = new Set(options.map((option) => option?.value))
  return values.size === options.length && !values.has(undefined)
    ? (options as { value: string; label: string }[])
    : undefined
}

const words = ['title', 'description'] as const
const bounds = ['minLength', 'maxLength', 'minimum', 'maximum'] as const
const kinds: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean'])

/** Returns a form of plain fields with nothing in it but what is known here. Secrets do not belong into a form. */
function flat({ properties, required }: JsonObject): JsonSchema | undefined {
  const fields = isObject(properties) ? Object.entries(properties) : []
  if (fields.length === 0 || fields.length > most.fields) return undefined
  const read = fields.map(([name, given]) => {
    const schema = given as JsonObject
    if (!isObject(given) || !kinds.has(schema.type) || schema.format === 'password') return undefined
    const field: Record<string, Json> = { type: schema.type as Json }
    for (const key of words) if (typeof schema[key] === 'string') field[key] = String(schema[key]).slice(0, 2_000)
    for (const key of bounds) if (typeof schema[key] === 'number') field[key] = schema[key]
    const options = schema.type === 'string' ? optionsIn(schema) : undefined
    if (options) field.oneOf = options.map(({ value, label }) => ({ const: value, title: label }))
    return [name, field] as const
  })
  if (read.includes(undefined)) return undefined
  const names = fields.map(([name]) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(read as (readonly [string, Record<string, Json>])[]),
    required: Array.isArray(required) ? names.filter((name) => required.includes(name)) : [],
  } as JsonSchema
}
