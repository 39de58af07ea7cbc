/** The parts of a JSON Schema that decide how a value is asked for. */
export interface FieldSchema {
  readonly type?: string | readonly string[] | undefined
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly default?: unknown
  readonly enum?: readonly unknown[] | undefined
  readonly const?: unknown
  readonly format?: string | undefined
  readonly contentMediaType?: string | undefined
  readonly minLength?: number | undefined
  readonly maxLength?: number | undefined
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
  readonly multipleOf?: number | undefined
  readonly properties?: Readonly<Record<string, Definition>> | undefined
  readonly required?: readonly string[] | undefined
  readonly items?: Definition | readonly Definition[] | undefined
  readonly anyOf?: readonly Definition[] | undefined
}
type Definition = FieldSchema | boolean

/** A value that a form asks for. */
export interface FieldPlace {
  readonly schema: FieldSchema
  /** Its place in the form, as a JSON pointer; also the name of its input. */
  readonly path: string
  readonly isRequired: boolean
  /** Leaving it empty says null. */
  readonly isNullable?: boolean
}

export type FieldKind = 'group' | 'choice' | 'choices' | 'boolean' | 'number' | 'file' | 'text' | 'json'

/** How a value is asked for. What is none of the simple ones is written as JSON. */
export function fieldKind(schema: FieldSchema): FieldKind {
  if (optionsOf(schema).length > 0) return 'choice'
  switch (schema.type) {
    case 'object':
      return schema.properties ? 'group' : 'json'
    case 'array':
      return optionsOf(itemsOf(schema)).length > 0 ? 'choices' : 'json'
    case 'boolean':
      return 'boolean'
    case 'number':
    case 'integer':
      return 'number'
    case 'string':
      return schema.contentMediaType ? 'file' : 'text'
    default:
      return 'json'
  }
}

/** The values to choose from, where there are only so many. */
export const optionsOf = (schema: FieldSchema): readonly unknown[] =>
  schema.enum ?? (schema.const === undefined ? [] : [schema.const])

export function itemsOf({ items }: FieldSchema): FieldSchema {
  return typeof items === 'object' && !isList(items) ? items : {}
}

const isList = (value: object): value is readonly unknown[] => Array.isArray(value)

/** The members of an object, in the order of its schema. */
export function membersOf({ schema, path }: FieldPlace): FieldPlace[] {
  return Object.entries(schema.properties ?? {}).map(([key, member]) => ({
    schema: withoutNull(typeof member === 'object' ? member : {}),
    path: `${path}/${key}`,
    isRequired: schema.required?.includes(key) === true && !takesNull(member),
    isNullable: schema.required?.includes(key) === true && takesNull(member),
  }))
}

/** What the field is called: its title, or else its key in words. */
export function labelOf({ schema, path }: FieldPlace): string {
  if (schema.title) return schema.title
  const words = path
    .slice(path.lastIndexOf('/') + 1)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1) || 'Value'
}

const takesNull = (schema: Definition): boolean =>
  typeof schema === 'object' &&
  schema.anyOf?.some((branch) => typeof branch === 'object' && branch.type === 'null') === true

/** A value that may also be null is asked for as that value. */
function withoutNull(schema: FieldSchema): FieldSchema {
  if (!takesNull(schema)) return schema
  const { anyOf = [], ...rest } = schema
  const others = anyOf.filter((branch) => typeof branch === 'object' && branch.type !== 'null')
  const [only] = others
  return others.length === 1 && typeof only === 'object' ? { ...rest, ...only } : schema
}
