import { isObject } from '@interleave/core/internal'

/** The parts of a JSON Schema that a form uses, as `plainSchema` returns them: without references. */
export interface FieldSchema {
  readonly type?: string | readonly string[] | undefined
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly default?: unknown
  readonly enum?: readonly unknown[] | undefined
  readonly const?: unknown
  readonly format?: string | undefined
  readonly contentMediaType?: string | undefined
  readonly contentEncoding?: string | undefined
  readonly minLength?: number | undefined
  readonly maxLength?: number | undefined
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
  readonly multipleOf?: number | undefined
  readonly minItems?: number | undefined
  readonly maxItems?: number | undefined
  readonly uniqueItems?: boolean | undefined
  readonly properties?: Readonly<Record<string, FieldSchema>> | undefined
  readonly required?: readonly string[] | undefined
  readonly items?: FieldSchema | undefined
  /** The schemas and values of a list's initial items. Not part of JSON Schema. */
  readonly presets?: readonly FieldSchema[] | undefined
  /** Set once null was removed from it: true if it has a value, perhaps null. Not part of JSON Schema. */
  readonly nullable?: boolean
  readonly anyOf?: readonly FieldSchema[] | undefined
  readonly oneOf?: readonly FieldSchema[] | undefined
}

type Data = Readonly<Record<string, unknown>>

/** Resolves references within a JSON Schema, and merges `allOf`. Deeper levels are edited as JSON. */
export const plainSchema = (schema: unknown): FieldSchema =>
  plain(schema, { root: schema, depth: 0, count: { left: 1_000 } })

interface Position {
  readonly root: unknown
  readonly depth: number
  /** The remaining budget of schema nodes to read. */
  readonly count: { left: number }
}

function plain(given: unknown, { root, depth, count }: Position): FieldSchema {
  if (!isObject(given) || depth > 8 || count.left-- <= 0) return {}
  const below = { root, depth: depth + 1, count }
  const { $ref, allOf } = given
  const own = valid(given)
  const parts = [...(typeof $ref === 'string' ? [target(root, $ref)] : []), ...(Array.isArray(allOf) ? allOf : [])]
  const merged = parts.map((part): Data => ({ ...plain(part, below) })).reduce(merge, {})
  const members = merge(merged, own)
  return {
    ...members,
    ...(isObject(own.properties) && {
      properties: {
        ...(merged as FieldSchema).properties,
        ...mapValues(own.properties, (member) => plain(member, below)),
      },
    }),
    // A tuple is edited as JSON.
    ...(own.items !== undefined && { items: Array.isArray(own.items) ? {} : plain(own.items, below) }),
    ...(Array.isArray(own.anyOf) && { anyOf: own.anyOf.map((branch) => plain(branch, below)) }),
    ...(Array.isArray(own.oneOf) && { oneOf: own.oneOf.map((branch) => plain(branch, below)) }),
  }
}

/** Returns the keywords that a form uses. Omits invalid values, which a foreign server may send. */
const valid = (schema: Data): Data => Object.fromEntries(Object.entries(schema).filter(isValid))

const texts = ['title', 'description', 'format', 'contentMediaType', 'contentEncoding']
const numbers = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum']
const lists = ['enum', 'required', 'anyOf', 'oneOf']
const others = ['type', 'default', 'const', 'items', 'properties', 'uniqueItems']

function isValid([key, value]: [key: string, value: unknown]): boolean {
  if (texts.includes(key)) return typeof value === 'string'
  if (numbers.includes(key)) return Number.isFinite(value)
  if (lists.includes(key)) return Array.isArray(value)
  return others.includes(key) || (key === 'multipleOf' && Number(value) > 0)
}

const mapValues = (object: Data, change: (value: unknown) => FieldSchema): Record<string, FieldSchema> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))

function merge(one: Data, other: Data): Data {
  const both = (key: string): boolean => isObject(one[key]) && isObject(other[key])
  const required = [one.required, other.required].flatMap((names) => (Array.isArray(names) ? names : []))
  return {
    ...one,
    ...other,
    ...(both('properties') && { properties: { ...Object(one.properties), ...Object(other.properties) } }),
    ...(required.length > 0 && { required }),
  }
}

/** Returns the target of a reference within the schema. */
function target(root: unknown, ref: string): unknown {
  if (!ref.startsWith('#')) return {}
  const keys = ref.slice(1).split('/').filter(Boolean)
  return keys.reduce<unknown>((at, key) => {
    const name = decoded(key).replaceAll('~1', '/').replaceAll('~0', '~')
    return isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined
  }, root)
}

/** Decodes percent escapes; an invalid one stays as it is. */
function decoded(key: string): string {
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}

/** Removes null from a schema, since an empty field means null. */
export function withoutNull(schema: FieldSchema): { readonly schema: FieldSchema; readonly isNullable: boolean } {
  if (schema.nullable !== undefined) return { schema, isNullable: true }
  if (Array.isArray(schema.type) && schema.type.includes('null') && schema.type.length === 2)
    return { schema: { ...schema, type: schema.type.find((type: string) => type !== 'null') }, isNullable: true }
  const key = schema.anyOf ? 'anyOf' : 'oneOf'
  const branches = schema[key] ?? []
  const others = branches.filter(({ type }) => type !== 'null')
  if (others.length === branches.length) return { schema, isNullable: false }
  const { [key]: _, ...rest } = schema
  return { schema: { ...rest, ...(others.length === 1 ? others[0] : { [key]: others }) }, isNullable: true }
}
