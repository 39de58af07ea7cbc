import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { concepts, words } from './tokenise.ts'

export type SlotKind =
  | 'choice'
  | 'boolean'
  | 'number'
  | 'date'
  | 'url'
  | 'email'
  | 'expression'
  | 'unit'
  | 'id'
  | 'query'
  | 'name'
  | 'text'
  | 'object'

/** One field of a tool's input, as its JSON schema describes it. */
export interface Slot {
  readonly name: string
  readonly description: string
  readonly kind: SlotKind
  readonly required: boolean
  /** The input takes a list of these. */
  readonly many: boolean
  readonly schema: JsonSchema
  /** The only values that fit, where the schema lists them. */
  readonly options: readonly (string | number)[]
  readonly concepts: readonly string[]
}

export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema | boolean>>
  readonly required?: readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly anyOf?: readonly (JsonSchema | boolean)[]
  readonly oneOf?: readonly (JsonSchema | boolean)[]
  readonly items?: JsonSchema | boolean | readonly (JsonSchema | boolean)[]
  readonly format?: string
  readonly description?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
}

/** The fields of a tool's input. */
export const slotsOf = (tool: LanguageModelV4FunctionTool): Slot[] => slotsOfSchema(tool.inputSchema as JsonSchema)

export function slotsOfSchema({ properties = {}, required = [] }: JsonSchema): Slot[] {
  return Object.entries(properties).map(([name, schema]) =>
    toSlot(name, { schema: plain(schema), required: required.includes(name) }),
  )
}

function toSlot(name: string, { schema, required }: { schema: JsonSchema; required: boolean }): Slot {
  const single = oneOf(schema)
  const many = typeOf(single) === 'array'
  const item = many ? oneOf(plain(Array.isArray(single.items) ? single.items[0] : single.items)) : single
  const description = schema.description ?? single.description ?? item.description ?? ''
  const options = optionsOf(item)
  const kind = options.length > 0 ? 'choice' : kindOf(item, { name, description })
  const optional = schema.default !== undefined || single.default !== undefined
  return {
    name,
    description,
    kind,
    many,
    options,
    schema: item,
    required: required && !optional,
    concepts: concepts(`${name} ${description}`),
  }
}

const plain = (schema: unknown): JsonSchema => (schema && typeof schema === 'object' ? schema : {})

/** Returns the telling part of `string | null` and the like. */
function oneOf(schema: JsonSchema): JsonSchema {
  const parts = (schema.anyOf ?? schema.oneOf ?? []).map(plain).filter((part) => typeOf(part) !== 'null')
  if (parts.length === 0) return schema
  if (parts.every((part) => part.const !== undefined)) return { enum: parts.map((part) => part.const) }
  return oneOf(parts[0] ?? schema)
}

const typeOf = ({ type }: JsonSchema): string | undefined =>
  typeof type === 'string' ? type : type?.find((name) => name !== 'null')

function optionsOf(schema: JsonSchema): (string | number)[] {
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const])
  return values.filter((value) => typeof value === 'string' || typeof value === 'number')
}

function kindOf(schema: JsonSchema, { name, description }: { name: string; description: string }): SlotKind {
  const type = typeOf(schema)
  if (type === 'boolean') return 'boolean'
  if (type === 'number' || type === 'integer') return 'number'
  if (type === 'object') return 'object'
  if (schema.format?.startsWith('date')) return 'date'
  if (schema.format === 'uri' || schema.format === 'url') return 'url'
  if (schema.format === 'email') return 'email'
  const described = words(description).filter((word) => !vague.has(word) && !vague.has(singular(word)))
  return kindOfWords(words(name)) ?? kindOfWords(described) ?? (/^(?:from|to)$/i.test(name) ? 'name' : 'text')
}

const kindOfWords = (tokens: readonly string[]): SlotKind | undefined =>
  kindWords.find(([, known]) => tokens.some((token) => known.includes(token) || known.includes(singular(token))))?.[0]

const singular = (word: string): string => word.replace(/ies$/, 'y').replace(/s$/, '')

/** Words that say much in the name of a field, and nothing in a sentence about it. */
const vague = new Set([
  'code',
  'key',
  'number',
  'reference',
  'link',
  'text',
  'name',
  'when',
  'term',
  'terms',
  'content',
])

/** In the order of how sure a word is: a `departureCity` is a city, not a day of departure. */
const kindWords: readonly (readonly [SlotKind, readonly string[]])[] = [
  ['id', ['id', 'ids', 'code', 'reference', 'key', 'identifier', 'number']],
  ['url', ['url', 'uri', 'link', 'href', 'website']],
  ['email', ['email', 'mail']],
  ['expression', ['expression', 'formula', 'calculation', 'arithmetic']],
  ['unit', ['unit', 'units', 'currency']],
  ['date', ['date', 'day', 'when', 'deadline']],
  ['query', ['query', 'q', 'search', 'question', 'keywords', 'keyword', 'topic', 'term', 'terms']],
  ['name', ['city', 'place', 'country', 'destination', 'origin', 'location', 'airport', 'town', 'person', 'name']],
  ['name', ['traveller', 'passenger', 'guest', 'customer', 'company', 'region', 'author']],
  ['text', ['text', 'message', 'content', 'body', 'note', 'title', 'subject', 'comment', 'prompt']],
]
